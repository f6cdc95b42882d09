package dev.carrel.cli;

/** A verb that takes a command, and before it and before its options the session to run it in. */
interface TakesSession extends TakesCommand {

    /** Called before the rest is parsed, where the session comes first. */
    void session(String reference);
}
