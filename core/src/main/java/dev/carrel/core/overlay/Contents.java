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
        try (InputStream one = left.read(leftName);
                InputStream other = right.read(rightName)) {
            return same(one, other);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot compare files in " + left + " and " + right + ": " + e.getMessage(),
                    null,
                    e);
        }
    }

    private static boolean same(InputStream one, InputStream other) throws IOException {
        byte[] left = new byte[BUFFER];
        byte[] right = new byte[BUFFER];
        while (true) {
            int count = one.readNBytes(left, 0, BUFFER);
            int others = other.readNBytes(right, 0, BUFFER);
            if (!Arrays.equals(left, 0, count, right, 0, others)) {
                return false;
            }
            if (count < BUFFER) {
                return true;
            }
        }
    }
}
