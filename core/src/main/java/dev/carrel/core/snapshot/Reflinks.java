package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Whether a file can be cloned into a directory, found by trying. */
final class Reflinks {

    /** These never can; the attempt is spared. */
    private static final Set<String> NEVER = Set.of("ext2", "ext3", "ext4", "tmpfs", "vfat");

    private Reflinks() {}

    static boolean work(ProcessRunner runner, Path file, Path to) throws InterruptedException {
        try {
            String type = Files.getFileStore(to).type();
            return Files.getFileStore(file).type().equals(type)
                    && !NEVER.contains(type)
                    && attempt(runner, file, to);
        } catch (IOException e) {
            throw new HostOperationException("cannot look at " + file + " and " + to, null, e);
        }
    }

    private static boolean attempt(ProcessRunner runner, Path file, Path to)
            throws IOException, InterruptedException {
        Path probe = Files.createTempFile(to, ".carrel-", ".probe");
        try {
            return runner.run(
                            Command.of(
                                    "cp",
                                    "--reflink=always",
                                    "--",
                                    file.toString(),
                                    probe.toString()))
                    .succeeded();
        } finally {
            Files.deleteIfExists(probe);
        }
    }
}
