package dev.carrel.core.runtime;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Files that are read whole or not at all while the machine runs. They mean nothing after a power
 * failure, so nothing is brought to disk; and an interrupt does not make them fail.
 */
final class RunFile {

    private RunFile() {}

    static void replace(Path file, byte[] content) {
        Path fresh = file.resolveSibling(".writing-" + UUID.randomUUID());
        try {
            Files.write(fresh, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            HostOperationException failure = StoreFailure.of("write", file, e);
            try {
                Files.deleteIfExists(fresh);
            } catch (IOException left) {
                failure.addSuppressed(left);
            }
            throw failure;
        }
    }

    /** Makes a file that exists mean nothing; needs no space. */
    static void empty(Path file) {
        try {
            Files.write(
                    file,
                    new byte[0],
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING);
        } catch (NoSuchFileException e) {
            // Nothing means less.
        } catch (IOException e) {
            throw StoreFailure.of("empty", file, e);
        }
    }
}
