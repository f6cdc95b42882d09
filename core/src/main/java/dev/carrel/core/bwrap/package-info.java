/**
 * A policy and a host become the argument lists of bubblewrap. Pure: nothing here starts a process
 * or reads a file.
 *
 * <p>A session has one process that stages its whole view ({@link
 * dev.carrel.core.bwrap.PauseOptions}); every command joins that view ({@link
 * dev.carrel.core.bwrap.CommandOptions}).
 */
package dev.carrel.core.bwrap;
