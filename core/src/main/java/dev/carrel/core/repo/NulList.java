package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Lists of byte strings that end in NUL each, as git reads and writes them with {@code -z}. */
public final class NulList {

    private NulList() {}

    /** Calls for each item of a file, in order. */
    public static void forEach(Path file, Consumer<byte[]> item) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            ByteArrayOutputStream current = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b == 0) {
                    item.accept(current.toByteArray());
                    current.reset();
                } else {
                    current.write(b);
                }
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read " + file + ": " + e.getMessage(), null, e);
        }
    }
}
