/**
 * The most that commands may use of the machine: memory, processes, processors. Held by the kernel
 * through cgroups, or else by resource limits and a watch over the processes.
 *
 * <p>Knows nothing of sandboxes: what it gives back are groups that a command's first process has
 * to enter before it becomes the command, words in front of the program, and counters. Time, output
 * and disk are watched by {@code session}, which knows what they mean. Start with {@link
 * dev.carrel.core.limits.LimitKeeper}.
 */
package dev.carrel.core.limits;
