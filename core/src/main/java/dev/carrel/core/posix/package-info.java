/**
 * The C library through the foreign-function API: one small class per family of calls, and what
 * {@code /proc} says about processes.
 *
 * <p>Calls answer as the kernel does: zero or a positive value on success, the negated error number
 * on failure; {@link dev.carrel.core.posix.Errno} names it. Interrupted calls are repeated. What a
 * failure means, and for which path, is the caller's to say: this package knows neither trees nor
 * sessions. Linux on 64-bit machines only.
 *
 * <p>All calls share one native signature ({@code LibcFunction}), because the first use of each
 * signature costs a JVM several milliseconds. Start reading there.
 */
package dev.carrel.core.posix;
