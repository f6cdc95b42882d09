package dev.carrel.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Someone at a terminal, which script(1) provides: types, looks, and changes the size. */
final class Typist implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process script;
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final Thread reader;

    private Typist(Process script) {
        this.script = script;
        this.reader = Thread.ofPlatform().daemon().start(this::look);
    }

    /** Runs a shell command line on a terminal of 24 rows and 80 columns. */
    static Typist at(Installation installation, String commandLine) throws IOException {
        return new Typist(
                installation
                        .prepared(
                                "script",
                                "-qefc",
                                "stty rows 24 cols 80; " + commandLine,
                                "/dev/null")
                        .redirectErrorStream(true)
                        .start());
    }

    private void look() {
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = script.getInputStream()) {
            int count;
            while ((count = in.read(buffer)) >= 0) {
                synchronized (shown) {
                    shown.write(buffer, 0, count);
                    shown.notifyAll();
                }
            }
        } catch (IOException e) {
            // The terminal is gone; what was seen is all there is.
        }
    }

    void type(String keys) throws IOException {
        script.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        script.getOutputStream().flush();
    }

    String shown() {
        synchronized (shown) {
            return shown.toString(StandardCharsets.UTF_8);
        }
    }

    void awaitShown(String text) throws InterruptedException {
        awaitShown(text, 1);
    }

    void awaitShown(String text, int times) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Pattern pattern = Pattern.compile(Pattern.quote(text));
        synchronized (shown) {
            while (pattern.matcher(shown()).results().count() < times) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new AssertionError("'" + text + "' was not shown, but: " + shown());
                }
                shown.wait(left);
            }
        }
    }

    /** The exit code of the command line, and all that was shown before. */
    int await() throws InterruptedException {
        if (!script.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the command does not end; shown: " + shown());
        }
        reader.join();
        return script.exitValue();
    }

    @Override
    public void close() {
        script.destroyForcibly();
    }
}
