package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Whether files of one directory can be cloned into another, found by trying. */
final class Reflinks {

    /** These never can; the attempt is spared. */
    private static final Set<String> NEVER = Set.of("ext2", "ext3", "ext4", "tmpfs", "vfat");

    private static final int SEARCHED = 1000;

    private Reflinks() {}

    static boolean work(ProcessRunner runner, Path from, Path to) throws InterruptedException {
        try {
            if (!Files.getFileStore(from).type().equals(Files.getFileStore(to).type())
                    || NEVER.contains(Files.getFileStore(to).type())) {
                return false;
            }
            Optional<Path> sample = someFile(from);
            return sample.isPresent() && attempt(runner, sample.get(), to);
        } catch (IOException e) {
            throw new HostOperationException("cannot look at " + from + " and " + to, null, e);
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

    /** A readable regular file with content, from the top level. */
    private static Optional<Path> someFile(Path directory) throws IOException {
        int left = SEARCHED;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
                        && Files.isReadable(entry)
                        && Files.size(entry) > 0) {
                    return Optional.of(entry);
                }
                if (--left == 0) {
                    break;
                }
            }
        }
        return Optional.empty();
    }
}
