/**
 * A session on the machine: one process holds its mounts and its network, every command joins it.
 * Knows nothing of repositories; it is given a view and the directories that it may use.
 *
 * <p>Start with {@link dev.carrel.core.runtime.SessionRuntime}. Nothing needs a daemon: any number
 * of Carrel processes meet through a directory (a FIFO that counts the users, a record that names
 * the pause process).
 */
package dev.carrel.core.runtime;
