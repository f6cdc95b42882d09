/**
 * Run host commands: command in, result out. The only place that starts processes, and the only one
 * that knows file descriptor numbers. Start with {@link dev.carrel.core.process.Command} and {@link
 * dev.carrel.core.process.ProcessRunner}.
 */
package dev.carrel.core.process;
