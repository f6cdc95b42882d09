/**
 * The pipeline: from a request to a session, from a command to its result, and what is done with
 * the changes. Sessions live on disk; any number of processes use one at the same time with the
 * same code.
 *
 * <p>Start with {@link dev.carrel.core.session.Sessions} and {@link
 * dev.carrel.core.session.Session}.
 */
package dev.carrel.core.session;
