package dev.carrel.core.overlay;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Compares what two regular files hold. */
public final class Contents {

    private static final int BUFFER = 1 << 16;

    private Contents() {}

    /** Whether both files hold the same bytes; each is opened without following a link. */
    public static boolean same(Dir left, byte[] leftName, Dir right, byte[] rightName) {
        return same(() -> left.read(leftName), () -> right.read(rightName));
    }

    /** Whether both sources hold the same bytes. */
    public static boolean same(Source left, Source right) {
        try (InputStream one = left.open();
                InputStream other = right.open()) {
            return same(one, other);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot compare two files: " + e.getMessage(), null, e);
        }
    }

    /** Something to read from its start. */
    @FunctionalInterface
    public interface Source {
        /** A stream to be closed. */
        InputStream open();
    }

    private static boolean same(InputStream one, InputStream other) throws IOException {
        while (true) {
            byte[] left = one.readNBytes(BUFFER);
            byte[] right = other.readNBytes(BUFFER);
            if (!Arrays.equals(left, right)) {
                return false;
            }
            if (left.length < BUFFER) {
                return true;
            }
        }
    }
}
