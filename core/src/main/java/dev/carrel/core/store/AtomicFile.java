package dev.carrel.core.store;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.ProcessIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/**
 * Files that are always whole: a reader sees the old content or the new one, also after a crash.
 */
public final class AtomicFile {

    /** How the name of a file that is being written begins; a kill may leave one behind. */
    public static final String TEMPORARY_PREFIX = ".writing-";

    private static final Set<OpenOption> CREATE_NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private AtomicFile() {}

    /**
     * Writes a file of mode 0600 beside the target, brings it to disk, moves it into place, brings
     * the directory to disk. On failure the old content is there and nothing is left beside it;
     * only where the last step fails, the new content is there but may not survive a power failure.
     *
     * @throws HostOperationException where the file system refuses, or is full
     */
    public static void write(Path file, byte[] content) {
        Path target = file.toAbsolutePath();
        Path directory = target.getParent();
        if (directory == null) {
            throw new HostOperationException("cannot write " + file + ": it is a directory");
        }
        Path temporary =
                directory.resolve(
                        TEMPORARY_PREFIX + ProcessIdentity.current().stamp() + "-" + randomName());
        try {
            writeNew(temporary, content);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw removing(temporary, StoreFailure.of("write", file, failed));
        }
        sync(directory);
    }

    /**
     * Writes files of mode 0600 in place and brings them to disk: for directories that nobody reads
     * before something else is written by {@link #write}. Cheaper than that, and may be repeated.
     * Several take little longer than one: what brings the first to disk brings most of the others,
     * too.
     *
     * @throws HostOperationException where the file system refuses, or is full
     */
    public static void writeUnseen(Map<Path, byte[]> files) {
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            try {
                Files.deleteIfExists(each.getKey());
                try (FileChannel channel =
                        FileChannel.open(each.getKey(), CREATE_NEW, OWNER_ONLY)) {
                    write(channel, each.getValue());
                }
            } catch (IOException failed) {
                throw StoreFailure.of("write", each.getKey(), failed);
            }
        }
        for (Path file : files.keySet()) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            } catch (IOException failed) {
                throw StoreFailure.of("write", file, failed);
            }
        }
    }

    /**
     * Makes the time of modification of a file now, and the file if it is missing. A power failure
     * may undo a change of the time.
     *
     * @throws HostOperationException where the file system refuses, or is full
     */
    public static void touch(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        } catch (NoSuchFileException missing) {
            write(file, new byte[0]);
        } catch (IOException failed) {
            throw StoreFailure.of("touch", file, failed);
        }
    }

    /** Deletes what killed processes were writing in a directory. */
    public static void tidy(Path directory) {
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(directory, AtomicFile::isAbandoned)) {
            for (Path entry : entries) {
                Files.deleteIfExists(entry);
            }
        } catch (NoSuchFileException e) {
            // Removed meanwhile, with all that was in it.
        } catch (IOException failed) {
            throw StoreFailure.of("tidy", directory, failed);
        } catch (DirectoryIteratorException failed) {
            throw StoreFailure.of("tidy", directory, new IOException(failed.getMessage(), failed));
        }
    }

    private static boolean isAbandoned(Path file) {
        String name = file.getFileName().toString();
        int end = name.lastIndexOf('-');
        return name.startsWith(TEMPORARY_PREFIX)
                && end > TEMPORARY_PREFIX.length()
                && ProcessIdentity.stamped(name.substring(TEMPORARY_PREFIX.length(), end))
                        .filter(maker -> !maker.isAlive())
                        .isPresent();
    }

    /** Brings the names in a directory to disk. */
    static void sync(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException failed) {
            throw StoreFailure.of("sync", directory, failed);
        }
    }

    private static void writeNew(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(file, CREATE_NEW, OWNER_ONLY)) {
            write(channel, content);
            channel.force(true);
        }
    }

    private static void write(FileChannel channel, byte[] content) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
    }

    private static HostOperationException removing(Path file, HostOperationException failure) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            failure.addSuppressed(left);
        }
        return failure;
    }

    private static String randomName() {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
