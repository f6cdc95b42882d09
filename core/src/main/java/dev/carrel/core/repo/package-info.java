/**
 * What the user's repository is, git or a plain directory, and safe work on it from the host:
 * nothing of its hooks, filters or configuration ever runs. Knows nothing of sessions and
 * snapshots. Start with {@link dev.carrel.core.repo.Repos}.
 */
package dev.carrel.core.repo;
