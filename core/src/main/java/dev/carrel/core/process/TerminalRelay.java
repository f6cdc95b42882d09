package dev.carrel.core.process;

import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.TerminalModes;
import dev.carrel.core.posix.Terminals;
import dev.carrel.core.posix.Waiting;
import java.time.Duration;

/**
 * Connects the caller's terminal with a pseudo terminal while one command runs: what is typed goes
 * in, what is shown comes out byte for byte, the size follows. The command itself never gets the
 * caller's terminal.
 *
 * <p>Whatever was changed at the caller's terminal is undone by {@link #finish}, and by {@link
 * #restore} for those who have no time left, such as a shutdown hook; both may be called more than
 * once, from any thread.
 */
public final class TerminalRelay {

    /** How soon a new size or a return to the foreground is noticed. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final int CHUNK = 1 << 16;

    private final PseudoTerminal terminal;
    private final Keyboard keyboard;
    private final int shown;
    private final int caller;
    private final Watch watch;
    private final CallerModes modes;
    private final Thread out;
    private final Thread in;

    private TerminalRelay(
            PseudoTerminal terminal, Keyboard keyboard, StandardStream output, Watch watch) {
        this.terminal = terminal;
        this.keyboard = keyboard;
        this.watch = watch;
        this.shown = output.descriptor();
        this.caller = keyboard == Keyboard.NONE ? shown : StandardStream.INPUT.descriptor();
        this.modes = new CallerModes(caller);
        this.out = Thread.ofPlatform().daemon().name("terminal-output").unstarted(this::show);
        this.in = Thread.ofPlatform().daemon().name("terminal-input").unstarted(this::follow);
    }

    /** Sees all that is shown. */
    @FunctionalInterface
    public interface Watch {
        /** The first {@code count} bytes were shown; called by one thread. */
        void look(byte[] bytes, int count);
    }

    /** What is done with the caller's keyboard. */
    public enum Keyboard {
        /** Every key goes to the command: control characters, arrows, the mouse. */
        RAW,
        /**
         * Lines go to the command as they are completed, and Ctrl-C to this process, because the
         * terminal is shared with the next program of a pipeline. While that program reads single
         * keys, as a pager does, nothing is taken from it.
         */
        LINES,
        /** Nothing is read: standard input is not a terminal. */
        NONE
    }

    /**
     * Starts to relay.
     *
     * @param output the caller's stream that shows what the command writes to its terminal
     * @param watch sees all that is shown
     */
    public static TerminalRelay start(
            PseudoTerminal terminal, Keyboard keyboard, StandardStream output, Watch watch) {
        TerminalRelay relay = new TerminalRelay(terminal, keyboard, output, watch);
        relay.adopt();
        relay.out.start();
        relay.in.start();
        return relay;
    }

    /** Gives the new terminal the looks of the caller's. */
    private void adopt() {
        modes.original().ifPresent(terminal::setModes);
        if (keyboard != Keyboard.RAW) {
            // The caller's terminal stays as it is: it translates line ends and echoes by itself.
            terminal.changeModes(TerminalModes::withPlainOutput);
            terminal.changeModes(TerminalModes::withoutEcho);
        }
        followSize();
        enterRaw();
    }

    private void enterRaw() {
        if (keyboard == Keyboard.RAW) {
            modes.enterRaw();
        }
    }

    private void followSize() {
        int size = Terminals.size(caller);
        if (size >= 0) {
            TerminalSize now = new TerminalSize(size >>> 16, size & 0xffff);
            if (!now.equals(terminal.size())) {
                terminal.resize(now);
            }
        }
    }

    private void show() {
        byte[] buffer = new byte[CHUNK];
        boolean listening = true;
        int count;
        while ((count = terminal.read(buffer)) >= 0) {
            // When nobody can see it any more the command still must not block on its output.
            listening = listening && writeAll(buffer, count);
            watch.look(buffer, count);
        }
    }

    private boolean writeAll(byte[] bytes, int count) {
        int written = 0;
        while (written < count) {
            int now = Descriptors.write(shown, bytes, written, count - written);
            if (now == -Errno.EAGAIN) {
                // Another process has made the shared terminal non-blocking.
                Waiting.poll(LOOK, new int[] {shown}, new int[] {Waiting.WRITABLE});
            } else if (now < 0) {
                return false;
            } else {
                written += now;
            }
        }
        return true;
    }

    private void follow() {
        byte[] buffer = new byte[CHUNK];
        boolean connected = keyboard != Keyboard.NONE;
        while (!terminal.isFinished()) {
            followSize();
            boolean listening = connected && mayRead();
            int[] ready =
                    Waiting.poll(
                            LOOK,
                            new int[] {listening ? caller : -1, terminal.wakeUp()},
                            new int[] {Waiting.READABLE, Waiting.READABLE});
            if (ready[0] != 0 && !terminal.isFinished() && mayRead()) {
                connected = forward(buffer);
            }
        }
    }

    /** A background job that reads the terminal, or sets its modes, would be stopped. */
    private boolean mayRead() {
        if (!Terminals.isForeground(caller)) {
            return false;
        }
        if (keyboard == Keyboard.RAW) {
            enterRaw();
            return true;
        }
        return Terminals.modes(caller).map(TerminalModes::isLineByLine).orElse(false);
    }

    private boolean forward(byte[] buffer) {
        int count = Descriptors.read(caller, buffer, 0, buffer.length);
        if (count == -Errno.EAGAIN) {
            return true;
        }
        if (count < 0 || (count == 0 && keyboard == Keyboard.RAW)) {
            return false; // the caller's terminal has hung up
        }
        if (count == 0) {
            buffer[0] = terminal.modes().endOfFile();
            count = 1;
        }
        terminal.write(buffer, count);
        return true;
    }

    /** Gives the caller's terminal back the modes it had. */
    public void restore() {
        modes.restore();
    }

    /** After the command: shows what is still to be shown, then gives the terminal back. */
    public void finish() throws InterruptedException {
        terminal.finish();
        try {
            out.join();
            in.join();
        } finally {
            modes.restore();
        }
    }
}
