package dev.carrel.cli;

import dev.carrel.core.process.PseudoTerminal;
import dev.carrel.core.process.TerminalRelay;
import dev.carrel.core.process.Termination;
import dev.carrel.core.process.TextWatch;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.ShownBytes;

/** Runs one command of a session with the caller's streams. */
record CommandRun(StreamPlan streams) {

    /** "Invalid cross-device link", or node's "EXDEV: cross-device link not permitted". */
    private static final String RENAME_REFUSED = "cross-device link";

    /** An interrupt ends the command; the caller's terminal is as it was afterwards. */
    CommandResult run(CoreSession session, CommandRequest request) throws InterruptedException {
        if (!streams.needsTerminal()) {
            return session.run(request.with(streams.withoutTerminal()));
        }
        try (PseudoTerminal terminal = PseudoTerminal.open()) {
            TextWatch watch = new TextWatch(RENAME_REFUSED);
            CommandResult result = run(session, request, terminal, watch);
            return watch.seen() ? explained(result) : result;
        }
    }

    private CommandResult run(
            CoreSession session, CommandRequest request, PseudoTerminal terminal, TextWatch watch)
            throws InterruptedException {
        ShownBytes shown = new ShownBytes();
        TerminalRelay relay =
                TerminalRelay.start(
                        terminal,
                        streams.keyboard(),
                        streams.shownOn(),
                        (bytes, count) -> {
                            shown.add(count);
                            watch.look(bytes, count);
                        });
        Termination.beforeEverythingElse(relay::restore);
        try {
            return session.run(request.with(streams.atTerminal(terminal.device(), shown)));
        } finally {
            relay.finish();
        }
    }

    /** The kernel refuses to rename a directory that came from the repository. */
    static CommandResult explained(CommandResult result) {
        return result.exit() == 0 || result.hint().isPresent()
                ? result
                : result.withHint(
                        "directories of the repository cannot be renamed in a session; mv, which"
                                + " copies, works");
    }
}
