/**
 * How long things take, beside what they would take without Carrel. Start with {@link
 * dev.carrel.bench.JoinBenchmark}.
 */
@NullMarked
package dev.carrel.bench;

import org.jspecify.annotations.NullMarked;
