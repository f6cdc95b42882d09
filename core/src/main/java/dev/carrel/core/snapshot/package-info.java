/**
 * Frozen bases of repositories: what a session sees before it changes anything. A git base is a
 * checkout that all sessions at the same commit share, and a private layer with a git directory of
 * its own and the uncommitted work. A plain base is a copy. Knows overlays only as lists of
 * directories, sessions only as a directory to put the private layer in. Start with {@link
 * dev.carrel.core.snapshot.Snapshots}.
 *
 * <p>On disk: {@code snapshots/<key>.lock}, {@code snapshots/<key>/<commit>/} with {@code tree},
 * {@code index}, {@code snapshot.json} and, where the origin's objects cannot be reached, {@code
 * objects}; {@code <private directory>/base} and, for hard links, {@code manifest}. Names that
 * start with a dot are half-built or half-removed and belong to whoever holds the lock.
 */
package dev.carrel.core.snapshot;
