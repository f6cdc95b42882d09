/**
 * Directory trees that others may have written, through descriptors: names are bytes, links are
 * never followed, nothing that is found is executed.
 *
 * <p>A {@link dev.carrel.core.tree.Dir} is an open directory; every operation names one entry of
 * it, so nobody can swap a directory for a link between two steps. A {@link
 * dev.carrel.core.tree.TreePath} is a place below a root, {@link dev.carrel.core.tree.Trees} works
 * on whole trees. This package knows nothing of sessions, layers or repositories. Start with {@code
 * Dir}.
 */
package dev.carrel.core.tree;
