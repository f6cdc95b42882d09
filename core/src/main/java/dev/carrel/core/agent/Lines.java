package dev.carrel.core.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Lines of a stream whose writer cannot be trusted: one without an end must not fill the memory.
 */
final class Lines {

    /** A line that is longer loses what is beyond, and is no JSON then. */
    private static final int LONGEST = 32 << 20;

    private static final int BUFFER = 64 * 1024;

    private Lines() {}

    /** Reads to the end; what is not UTF-8 is replaced. A stream that breaks off has ended. */
    static void read(InputStream from, Consumer<String> line) {
        byte[] buffer = new byte[BUFFER];
        ByteArrayOutputStream open = new ByteArrayOutputStream();
        try (from) {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                int start = 0;
                for (int at = 0; at < count; at++) {
                    if (buffer[at] == '\n') {
                        add(open, buffer, start, at);
                        line.accept(open.toString(StandardCharsets.UTF_8));
                        open.reset();
                        start = at + 1;
                    }
                }
                add(open, buffer, start, count);
            }
        } catch (IOException broken) {
            // What came until then counts.
        }
        if (open.size() > 0) {
            line.accept(open.toString(StandardCharsets.UTF_8));
        }
    }

    private static void add(ByteArrayOutputStream open, byte[] buffer, int from, int to) {
        int count = Math.min(to - from, LONGEST - open.size());
        if (count > 0) {
            open.write(buffer, from, count);
        }
    }
}
