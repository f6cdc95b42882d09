package dev.carrel.core.session;

/** What happens while a request is carried out; a front end shows it or not. */
public sealed interface SessionEvent {

    /** A part of the work begins: a short phrase such as {@code copying node_modules}. */
    record Progress(String text) implements SessionEvent {}

    /** Something that the user should know, once: a complete sentence. */
    record Notice(String text) implements SessionEvent {}
}
