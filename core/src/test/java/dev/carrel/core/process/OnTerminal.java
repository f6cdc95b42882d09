package dev.carrel.core.process;

import static org.assertj.core.api.Assertions.fail;

import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.Command.HandedOver.Access;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A command that owns a pseudo terminal, and someone who types and looks. */
final class OnTerminal {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final PseudoTerminal terminal = PseudoTerminal.open();
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final RunningProcess process;
    private final Thread reader;

    OnTerminal(String... argv) {
        terminal.resize(new TerminalSize(24, 80));
        List<String> words = new ArrayList<>();
        // Whoever runs the tests may have been started with them ignored.
        words.addAll(List.of("env", "--default-signal=INT,QUIT", "setsid", "-c", "-w"));
        words.addAll(List.of(argv));
        process =
                new HostProcessRunner()
                        .start(
                                Command.of(words)
                                        .withVariable("TERM", "xterm")
                                        .withVariable("HOME", "/nonexistent")
                                        .withStreams(
                                                new Command.Input.Nothing(),
                                                new Command.Output.Discarded(),
                                                new Command.Output.Discarded())
                                        .handingOver(List.of(stream(0), stream(1), stream(2))));
        reader = Thread.ofPlatform().daemon().start(this::read);
    }

    private HandedOver stream(int descriptor) {
        return new HandedOver(descriptor, terminal.device(), Access.READ_WRITE);
    }

    private void read() {
        byte[] buffer = new byte[1 << 16];
        int count;
        while ((count = terminal.read(buffer)) >= 0) {
            synchronized (shown) {
                shown.write(buffer, 0, count);
                shown.notifyAll();
            }
        }
    }

    void type(String keys) {
        byte[] bytes = keys.getBytes(StandardCharsets.UTF_8);
        terminal.write(bytes, bytes.length);
    }

    String shown() {
        synchronized (shown) {
            return shown.toString(StandardCharsets.UTF_8);
        }
    }

    byte[] shownBytes() {
        synchronized (shown) {
            return shown.toByteArray();
        }
    }

    /** Waits until the text is to be seen, {@code times} times. */
    void awaitShown(String text, int times) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        synchronized (shown) {
            while (shown().split(Pattern.quote(text), -1).length <= times) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    fail("'" + text + "' was not shown, but this: " + shown());
                }
                shown.wait(left);
            }
        }
    }

    void awaitShown(String text) throws InterruptedException {
        awaitShown(text, 1);
    }

    /** Waits for the end of the command and of its output. */
    int await() throws InterruptedException {
        int exit = process.await().exit();
        terminal.finish();
        reader.join();
        return exit;
    }

    void close() throws InterruptedException {
        process.kill();
        terminal.finish();
        reader.join();
        terminal.close();
    }
}
