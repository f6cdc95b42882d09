package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentEvent.Change;
import dev.carrel.core.tree.TreePath;

/**
 * A file that differs after a run.
 *
 * @param repo the name of its repository
 * @param path relative to the repository's root
 */
public record ChangedFile(String repo, TreePath path, Change change) {}
