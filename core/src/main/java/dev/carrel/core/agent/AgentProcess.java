package dev.carrel.core.agent;

import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.SessionCommand;
import java.io.InputStream;
import java.io.OutputStream;

/** An agent that runs, in whichever tier. One thread must {@link #await} it. */
interface AgentProcess {

    OutputStream input();

    InputStream output();

    InputStream error();

    /** Whether nothing that it started can hold its streams open once it has ended. */
    boolean endsItsStreams();

    /** Ends it and everything it started; does nothing once it has ended. */
    void cancel();

    /** Waits for the end. An interrupt cancels it first. */
    CommandResult await() throws InterruptedException;

    /** One that runs as a command of a session. */
    record InSession(SessionCommand command) implements AgentProcess {

        @Override
        public OutputStream input() {
            return command.input();
        }

        @Override
        public InputStream output() {
            return command.output();
        }

        @Override
        public InputStream error() {
            return command.error();
        }

        @Override
        public boolean endsItsStreams() {
            return true;
        }

        @Override
        public void cancel() {
            command.cancel();
        }

        @Override
        public CommandResult await() throws InterruptedException {
            return command.await();
        }
    }
}
