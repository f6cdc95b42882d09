package dev.carrel.core.files;

import dev.carrel.core.failure.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A replacement of exact text, byte for byte. Pure. */
final class Edit {

    private static final int MOST_LINES_NAMED = 10;

    private final ViewPath path;
    private final byte[] old;
    private final byte[] replacement;
    private final boolean everywhere;

    Edit(ViewPath path, String old, String replacement, boolean everywhere) {
        this.path = path;
        this.old = old.getBytes(StandardCharsets.UTF_8);
        this.replacement = replacement.getBytes(StandardCharsets.UTF_8);
        this.everywhere = everywhere;
        if (old.isEmpty()) {
            throw new InvalidInputException("the text to replace has at least one character");
        }
        if (old.equals(replacement)) {
            throw new InvalidInputException("the text to replace and the new text are the same");
        }
    }

    /** The file afterwards, and what was done to it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Outcome(byte[] content, Replacement replacement) {}

    Outcome of(byte[] before) {
        List<Integer> places = places(before);
        if (places.isEmpty()) {
            throw new InvalidInputException("the text to replace is not in " + path);
        }
        if (places.size() > 1 && !everywhere) {
            List<Long> lines =
                    places.stream().limit(MOST_LINES_NAMED).map(at -> line(before, at)).toList();
            throw new InvalidInputException(
                    "the text to replace is "
                            + places.size()
                            + " times in "
                            + path
                            + ", in the lines "
                            + lines
                            + (places.size() > lines.size() ? " and more" : ""),
                    "Give more of the text around it, or replace all of them.");
        }
        return new Outcome(
                replaced(before, places),
                new Replacement(places.size(), line(before, places.getFirst())));
    }

    private byte[] replaced(byte[] before, List<Integer> places) {
        ByteArrayOutputStream after = new ByteArrayOutputStream(before.length);
        int from = 0;
        for (int place : places) {
            after.write(before, from, place - from);
            after.writeBytes(replacement);
            from = place + old.length;
        }
        after.write(before, from, before.length - from);
        return after.toByteArray();
    }

    /** Where the text begins, one after the other, never overlapping. */
    private List<Integer> places(byte[] content) {
        List<Integer> places = new ArrayList<>();
        for (int at = 0; at <= content.length - old.length; ) {
            if (isAt(content, at)) {
                places.add(at);
                at += old.length;
            } else {
                at++;
            }
        }
        return places;
    }

    private boolean isAt(byte[] content, int at) {
        for (int i = 0; i < old.length; i++) {
            if (content[at + i] != old[i]) {
                return false;
            }
        }
        return true;
    }

    private static long line(byte[] content, int at) {
        long line = 1;
        for (int i = 0; i < at; i++) {
            line += content[i] == '\n' ? 1 : 0;
        }
        return line;
    }
}
