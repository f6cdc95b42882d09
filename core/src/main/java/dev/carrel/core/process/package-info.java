/**
 * Run host commands: command in, result out. The only user of {@link java.lang.ProcessBuilder} and
 * the only place that knows file descriptor numbers. Start with {@link
 * dev.carrel.core.process.Command} and {@link dev.carrel.core.process.ProcessRunner}.
 */
package dev.carrel.core.process;
