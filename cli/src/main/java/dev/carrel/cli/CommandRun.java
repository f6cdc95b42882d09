package dev.carrel.cli;

import dev.carrel.core.process.PseudoTerminal;
import dev.carrel.core.process.TerminalRelay;
import dev.carrel.core.process.Termination;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;

/** Runs one command of a session with the caller's streams. */
record CommandRun(StreamPlan streams) {

    /** An interrupt ends the command; the caller's terminal is as it was afterwards. */
    CommandResult run(CoreSession session, CommandRequest request) throws InterruptedException {
        if (!streams.needsTerminal()) {
            return session.run(request.with(streams.withoutTerminal()));
        }
        try (PseudoTerminal terminal = PseudoTerminal.open()) {
            TerminalRelay relay =
                    TerminalRelay.start(terminal, streams.keyboard(), streams.shownOn());
            Termination.beforeEverythingElse(relay::restore);
            try {
                return session.run(request.with(streams.atTerminal(terminal.device())));
            } finally {
                relay.finish();
            }
        }
    }
}
