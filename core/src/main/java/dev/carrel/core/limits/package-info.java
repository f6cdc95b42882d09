/**
 * The most that commands may use of the machine. Memory, processes and processors are held by the
 * kernel through cgroups, or else by resource limits and a watch over the processes; output and
 * disk are counted here. Time is kept by {@code session}, which also decides what becomes of a
 * command.
 *
 * <p>Knows nothing of sandboxes: what it gives back are groups that a command's first process has
 * to be in before it becomes the command, bounds for it, and counters. Start with {@link
 * dev.carrel.core.limits.LimitKeeper}.
 */
package dev.carrel.core.limits;
