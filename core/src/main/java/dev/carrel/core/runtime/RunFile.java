package dev.carrel.core.runtime;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.Files;
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
            throw new HostOperationException(
                    "cannot write " + file + ": " + e.getMessage(), null, e);
        }
    }
}
