package dev.carrel.cli;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Where a patch goes.
 *
 * @param name of a file; {@code -} for the output
 */
record PatchFile(Context context, String name) {

    /** Writes a patch and answers what it cannot carry. */
    interface Content {
        List<String> write(OutputStream to) throws InterruptedException;
    }

    /** A file is there whole or not at all. */
    List<String> write(Content content) throws InterruptedException {
        if (name.equals("-")) {
            return content.write(context.out());
        }
        Path file = context.directory().resolve(name);
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                try (OutputStream to = Files.newOutputStream(file)) {
                    return content.write(to);
                }
            }
            Path beside = Files.createTempFile(file.resolveSibling("."), ".carrel-patch-", "");
            try {
                List<String> left;
                try (OutputStream to = Files.newOutputStream(beside)) {
                    left = content.write(to);
                }
                Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString("rw-r--r--"));
                Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
                return left;
            } finally {
                Files.deleteIfExists(beside);
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot write " + file + ": " + e.getMessage(), null, e);
        }
    }
}
