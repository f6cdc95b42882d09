package dev.carrel.core.process;

import dev.carrel.core.posix.TerminalModes;
import dev.carrel.core.posix.Terminals;
import java.util.Optional;

/** The modes of the caller's terminal: what they were, and how they are put back. */
final class CallerModes {

    private enum State {
        ORIGINAL,
        RAW,
        RESTORED
    }

    private final int terminal;
    private final Optional<TerminalModes> original;
    private State state = State.ORIGINAL;

    CallerModes(int terminal) {
        this.terminal = terminal;
        this.original = Terminals.modes(terminal);
    }

    Optional<TerminalModes> original() {
        return original;
    }

    /**
     * In the foreground only, and never after they were restored. A shell that takes over while
     * this process is stopped leaves its own modes behind, so it may be needed again.
     */
    synchronized void enterRaw() {
        if (state == State.RESTORED
                || original.isEmpty()
                || !Terminals.isForeground(terminal)
                || (state == State.RAW && !isLineByLine())) {
            return;
        }
        Terminals.setModes(terminal, original.get().raw());
        state = State.RAW;
    }

    private boolean isLineByLine() {
        return Terminals.modes(terminal).map(TerminalModes::isLineByLine).orElse(false);
    }

    synchronized void restore() {
        if (state == State.RAW && original.isPresent()) {
            Terminals.setModes(terminal, original.get());
        }
        state = State.RESTORED;
    }
}
