package dev.carrel.cli;

/** One sub-command: its fields are filled by the parser, then it runs once. */
interface Verb {

    /**
     * Carries it out.
     *
     * @return the exit code
     */
    int run(Context context) throws InterruptedException;
}
