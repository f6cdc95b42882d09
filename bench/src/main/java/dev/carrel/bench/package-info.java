/**
 * How long things take, beside what they would take without Carrel or with another tool. {@link
 * dev.carrel.bench.Main} runs the contests; the contenders of a {@link dev.carrel.bench.Contest}
 * take turns, so that whatever else the machine does hits all of them.
 */
@NullMarked
package dev.carrel.bench;

import org.jspecify.annotations.NullMarked;
