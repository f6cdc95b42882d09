package dev.carrel.cli;

import java.util.List;

/** A verb whose words after the options are a command, so that its options are left alone. */
interface TakesCommand extends Verb {

    /** Called instead of the parser where there are words, and no options before them. */
    void command(List<String> words);
}
