package dev.carrel.cli;

/** A verb whose words after the options are a command, so that its options are left alone. */
interface TakesCommand extends Verb {}
