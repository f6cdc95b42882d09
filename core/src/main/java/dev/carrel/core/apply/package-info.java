/**
 * Takes a session's changes to the host: compares the host's checkout with the base, stages, and
 * moves everything into place or nothing. A journal lets the next run finish or undo what a kill
 * cut short.
 *
 * <p>Writes only below a repository's root, through descriptors, never through a link and never
 * into {@code .git}. Knows nothing of sandboxes and sessions. Start with {@link
 * dev.carrel.core.apply.Applies}.
 *
 * <p>On disk: the journal and its list of operations in the session's directory, and while an apply
 * runs one hidden directory {@code .carrel-apply-…} in each repository's root.
 */
package dev.carrel.core.apply;
