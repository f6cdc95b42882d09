package dev.carrel.core.files;

/**
 * What an edit did.
 *
 * @param count how many places were replaced, at least one
 * @param firstLine the line in which the first of them begins, from 1
 */
public record Replacement(int count, long firstLine) {}
