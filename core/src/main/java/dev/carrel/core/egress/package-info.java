/**
 * The border of a session's network: a proxy on a listening socket that asks the rules, obeys them,
 * and reports every decision.
 *
 * <p>It speaks HTTP (absolute form and CONNECT) and SOCKS5. What it judges is what it dials: a host
 * is judged before DNS is asked, resolved once, all its addresses are judged, and one of those is
 * connected. It must not know sessions, bridges or settings files: where rules come from and where
 * events go is the caller's. Start at {@link dev.carrel.core.egress.EgressProxy}; what a rule means
 * is in {@code policy}.
 */
package dev.carrel.core.egress;
