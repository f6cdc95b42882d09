/**
 * The system call filter of a sandbox: rules about calls, a processor's numbers of calls and a mode
 * become a program for the kernel's classic BPF machine. Pure: no file, no process, no probe.
 *
 * <p>Must not know how the program reaches the kernel (that is bwrap's part) nor which mode a
 * session uses. Start at {@link dev.carrel.core.seccomp.SeccompFilter}; the calls and the reasons
 * are in {@code Rules}, the numbers in {@code X8664Calls} and {@code Aarch64Calls}.
 */
package dev.carrel.core.seccomp;
