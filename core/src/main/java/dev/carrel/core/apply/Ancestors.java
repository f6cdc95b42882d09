package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What the session had when it was applied, by its SHA-256: from there both sides went on. A file
 * that a power failure spoilt is as good as none; it is known by its name.
 */
final class Ancestors {

    private static final int OWN_FILE = 0600;

    private final Path directory;

    Ancestors(Path directory) {
        this.directory = directory;
    }

    void keep(byte[] content) {
        byte[] name = Names.bytes(Fingerprint.digest(content));
        try (Dir dir = OwnDirectory.open(directory)) {
            if (dir.stat(name).isPresent()) {
                return;
            }
            try (OutputStream out = dir.create(name, OWN_FILE)) {
                out.write(content);
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot write in " + directory + ": " + e.getMessage(), null, e);
        }
    }

    void keep(String digest, Dir from, byte[] name) {
        try (Dir dir = OwnDirectory.open(directory)) {
            if (dir.stat(Names.bytes(digest)).isEmpty()) {
                dir.cloneOrCopyFrom(from, name, Names.bytes(digest), OWN_FILE);
            }
        }
    }

    /** The content; empty where it was not kept. */
    Optional<byte[]> read(Fingerprint print) {
        Optional<byte[]> name = print.digest().map(Names::bytes);
        Optional<Dir> opened = name.flatMap(_ -> Dir.openIfExists(directory));
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (Dir dir = opened.get()) {
            boolean kept =
                    dir.stat(name.orElseThrow())
                            .filter(s -> s.type() == FileType.REGULAR)
                            .isPresent();
            return kept ? intact(dir, name.orElseThrow()) : Optional.empty();
        }
    }

    private Optional<byte[]> intact(Dir dir, byte[] name) {
        try (InputStream in = dir.read(name)) {
            byte[] content = in.readAllBytes();
            boolean whole = Names.display(name).equals(Fingerprint.digest(content));
            return whole ? Optional.of(content) : Optional.empty();
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read in " + directory + ": " + e.getMessage(), null, e);
        }
    }

    /** Removes all others. */
    void retain(Supplier<Set<String>> wanted) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Dir dir = Dir.open(directory)) {
            List<byte[]> names = dir.names();
            Set<String> digests = names.isEmpty() ? Set.of() : wanted.get();
            for (byte[] name : names) {
                if (!digests.contains(Names.display(name))) {
                    Trees.delete(dir, name);
                }
            }
        }
    }
}
