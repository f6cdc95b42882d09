/**
 * The way out of a running session, and in: a proxy of this process that obeys the session's rules,
 * that listens at the session's loopback, and bridges to ports there. It knows nothing of
 * repositories and records. Start with {@link dev.carrel.core.network.SessionNetwork}.
 */
@NullMarked
package dev.carrel.core.network;

import org.jspecify.annotations.NullMarked;
