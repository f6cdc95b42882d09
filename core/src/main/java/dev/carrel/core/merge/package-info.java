/**
 * Merges two sides that began as one tree: three lists of files in, changes and conflicts out. git
 * decides, in a scratch repository of ours with nobody's configuration, attributes or drivers.
 *
 * <p>Knows files, what may execute them, and links, as git does; permission bits, directories and
 * where contents come from are the caller's. Writes nothing but scratch files. Start with {@link
 * dev.carrel.core.merge.TreeMerge}.
 */
package dev.carrel.core.merge;
