package dev.carrel.core.snapshot;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.repo.WorkTree;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the files of an origin looked like when hard links to them became a base: a program that
 * writes one in place changes the base too, and only these numbers tell.
 *
 * <p>On disk: fields, each ended by NUL: {@code carrel-manifest-1}, then for each file its path,
 * type ({@link FileType} name), mode (octal), size, and time of modification as seconds and
 * nanoseconds.
 */
public final class Manifest {

    private static final String HEADER = "carrel-manifest-1";
    private static final int FIELDS = 6;
    private static final int OCTAL = 8;

    private final Map<TreePath, Entry> entries;

    private Manifest(Map<TreePath, Entry> entries) {
        this.entries = entries;
    }

    /** One file as it was. */
    public record Entry(FileType type, int mode, long size, Instant modified) {

        /** Whether the file still looks so. */
        public boolean matches(FileStatus status) {
            return status.type() == type
                    && status.mode() == mode
                    && status.size() == size
                    && status.modified().equals(modified);
        }
    }

    /**
     * Reads a manifest whole.
     *
     * @throws BrokenStoreException if it cannot be read
     */
    public static Manifest load(Path file) {
        byte[] content;
        try {
            content = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new BrokenStoreException("cannot read " + file + ": " + e, null, e);
        }
        List<byte[]> fields = WorkTree.split(content);
        if (fields.isEmpty()
                || !text(fields.getFirst()).equals(HEADER)
                || (fields.size() - 1) % FIELDS != 0) {
            throw new BrokenStoreException(file + " is not a whole manifest");
        }
        Map<TreePath, Entry> entries = new HashMap<>();
        try {
            for (int i = 1; i < fields.size(); i += FIELDS) {
                entries.put(TreePath.ofBytes(fields.get(i)), parse(fields.subList(i, i + FIELDS)));
            }
        } catch (IllegalArgumentException e) {
            throw new BrokenStoreException(file + " is damaged: " + e.getMessage(), null, e);
        }
        return new Manifest(entries);
    }

    private static Entry parse(List<byte[]> fields) {
        return new Entry(
                FileType.valueOf(text(fields.get(1))),
                Integer.parseInt(text(fields.get(2)), OCTAL),
                Long.parseLong(text(fields.get(3))),
                Instant.ofEpochSecond(
                        Long.parseLong(text(fields.get(4))), Long.parseLong(text(fields.get(5)))));
    }

    private static String text(byte[] field) {
        return new String(field, StandardCharsets.US_ASCII);
    }

    /** A file as it was; empty for what was no regular file, or not linked. */
    public Optional<Entry> entry(TreePath path) {
        return Optional.ofNullable(entries.get(path));
    }

    /** How many files it knows. */
    public int size() {
        return entries.size();
    }

    /** Writes a new manifest, entry by entry. */
    static final class Writer implements AutoCloseable {
        private final Path file;
        private final OutputStream out;

        Writer(Path file) {
            this.file = file;
            try {
                this.out = new BufferedOutputStream(Files.newOutputStream(file));
            } catch (IOException e) {
                throw failure(file, e);
            }
            field(HEADER.getBytes(StandardCharsets.US_ASCII));
        }

        void add(TreePath path, FileStatus status) {
            field(path.bytes());
            field(status.type().name());
            field(Integer.toOctalString(status.mode()));
            field(Long.toString(status.size()));
            Instant time = status.modified();
            field(Long.toString(time.getEpochSecond()));
            field(Integer.toString(time.getNano()));
        }

        private void field(String text) {
            field(text.getBytes(StandardCharsets.US_ASCII));
        }

        private void field(byte[] bytes) {
            try {
                out.write(bytes);
                out.write(0);
            } catch (IOException e) {
                throw failure(file, e);
            }
        }

        @Override
        public void close() {
            try {
                out.close();
            } catch (IOException e) {
                throw failure(file, e);
            }
        }

        private static HostOperationException failure(Path file, IOException e) {
            return new HostOperationException("cannot write " + file + ": " + e, null, e);
        }
    }
}
