/**
 * What Carrel knows of each command line of a coding agent: how it is called, what it prints, which
 * hosts and which key it needs. Descriptions only: an adapter starts nothing and reads no settings,
 * so a parser is tested with recorded output. Start with {@link
 * dev.carrel.core.adapter.AgentAdapter}; {@code agent} is who runs them.
 */
@NullMarked
package dev.carrel.core.adapter;

import org.jspecify.annotations.NullMarked;
