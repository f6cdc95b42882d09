package dev.carrel.core.session;

import java.time.Duration;
import java.util.List;

/**
 * What happens while a request is carried out; a front end shows it or not. Told on the thread that
 * made the request, or that waits for the command.
 */
public sealed interface SessionEvent {

    /** A part of the work begins: a short phrase such as {@code copying node_modules}. */
    record Progress(String text) implements SessionEvent {}

    /** Something that the user should know, once: a complete sentence. */
    record Notice(String text) implements SessionEvent {}

    /**
     * Something does not do what was asked for, such as a mask that hides nothing: to be told
     * always, not only to people who watch.
     */
    record Warning(String text) implements SessionEvent {}

    /** A session was made. */
    record Created(SessionId session) implements SessionEvent {}

    /** A session was taken away. */
    record Removed(SessionId session) implements SessionEvent {}

    /** A command runs now. */
    record CommandStarted(SessionId session, List<String> argv) implements SessionEvent {
        public CommandStarted {
            argv = List.copyOf(argv);
        }
    }

    /**
     * A command ended.
     *
     * @param exit as {@link CommandResult#exit}; 125 if it was cancelled or never came to run
     */
    record CommandEnded(SessionId session, int exit, Duration duration) implements SessionEvent {}

    /** The changes of a session were brought to the host. */
    record Applied(SessionId session) implements SessionEvent {}

    /** The last apply of a session was taken back. */
    record Undone(SessionId session) implements SessionEvent {}

    /** Changes of a session were thrown away. */
    record Discarded(SessionId session) implements SessionEvent {}
}
