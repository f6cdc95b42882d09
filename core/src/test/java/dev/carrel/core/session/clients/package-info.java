/**
 * Common clients in a session with an allow-list, as they are: {@link
 * dev.carrel.core.session.clients.Clients} is the session and the servers, each class one family.
 * No test leaves this machine.
 */
@org.jspecify.annotations.NullMarked
package dev.carrel.core.session.clients;
