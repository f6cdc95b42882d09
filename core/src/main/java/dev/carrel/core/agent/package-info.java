/**
 * Runs agents' command lines: in a session (tier 1), or as a plain process (tier 0), with the same
 * request, events and result. Start with {@link dev.carrel.core.agent.Agents}. What differs from
 * agent to agent is in {@code adapter}; nothing here knows any of them by name.
 */
@NullMarked
package dev.carrel.core.agent;

import org.jspecify.annotations.NullMarked;
