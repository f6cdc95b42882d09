package dev.carrel.core.tree;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Errno;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Where a directory was found, for messages only. Put together when a message needs it: with
 * thousands of levels, strings made in advance would cost more than the walk.
 */
final class Place {

    /** How much of a path is shown that is thousands of levels deep. */
    private static final int SHOWN_ABOVE = 12;

    private static final int SHOWN_BELOW = 3;

    private final @Nullable Place parent;
    private final byte[] name;

    private Place(@Nullable Place parent, byte[] name) {
        this.parent = parent;
        this.name = name;
    }

    static Place of(String hostPath) {
        return new Place(null, Names.bytes(hostPath));
    }

    Place child(byte[] entry) {
        return new Place(this, entry);
    }

    /** An exception for a failed call: what, where, why, and the cure where one is known. */
    HostOperationException failure(String attempt, long negatedErrno) {
        int errno = (int) -negatedErrno;
        String message = "cannot " + attempt + " " + this + ": " + Errno.describe(errno);
        return switch (errno) {
            case Errno.ENOSPC ->
                    new HostOperationException(message, "free some space there, see df and df -i");
            case Errno.EDQUOT ->
                    new HostOperationException(message, "free some space there, see quota");
            case Errno.EMFILE ->
                    new HostOperationException(message, "raise the limit: ulimit -n 65536");
            default -> new HostOperationException(message);
        };
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(text);
        return text.toString();
    }

    private void append(StringBuilder text) {
        ArrayDeque<byte[]> chain = new ArrayDeque<>();
        for (Place at = this; at != null; at = at.parent) {
            chain.push(at.name);
        }
        int index = 0;
        String separator = "";
        for (byte[] part : chain) {
            boolean shown = index < SHOWN_ABOVE || index >= chain.size() - SHOWN_BELOW;
            if (shown || index == SHOWN_ABOVE) {
                String name = shown ? Names.display(part) : "…";
                text.append(separator).append(name);
                separator = name.equals("/") ? "" : "/";
            }
            index++;
        }
    }
}
