package dev.carrel.core.process;

import java.nio.charset.StandardCharsets;

/**
 * Notices a text in what a terminal shows, in however many pieces it comes. For texts whose
 * beginning does not come again inside of them. Written by one thread, asked by any.
 */
public final class TextWatch implements TerminalRelay.Watch {

    private final byte[] text;
    private int matched;
    private volatile boolean seen;

    /** A watch for a text, which is not empty. */
    public TextWatch(String text) {
        this.text = text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void look(byte[] bytes, int count) {
        for (int i = 0; i < count && !seen; i++) {
            if (bytes[i] != text[matched]) {
                matched = 0;
            }
            if (bytes[i] == text[matched]) {
                matched++;
                seen = matched == text.length;
            }
        }
    }

    /** Whether it was there. */
    public boolean seen() {
        return seen;
    }
}
