package dev.carrel.core.testing;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A small tree in memory, to be written to many places: what programs take long to make, they make
 * once. Of files, directories and links, with permission bits and times.
 */
public final class KeptTree {

    private static final class Entry {
        private final byte[] name;
        private final FileStatus status;
        private final byte[] content;
        private final List<Entry> below;

        Entry(byte[] name, FileStatus status, byte[] content, List<Entry> below) {
            this.name = name;
            this.status = status;
            this.content = content;
            this.below = below;
        }
    }

    private final List<Entry> entries;

    private KeptTree(List<Entry> entries) {
        this.entries = entries;
    }

    /** All that is below the root. */
    public static KeptTree of(Path root) {
        try (Dir dir = Dir.open(root)) {
            return new KeptTree(read(dir));
        }
    }

    private static List<Entry> read(Dir dir) {
        return dir.names().stream().map(name -> read(dir, name)).toList();
    }

    private static Entry read(Dir dir, byte[] name) {
        FileStatus status = dir.stat(name).orElseThrow();
        byte[] none = {};
        return switch (status.type()) {
            case REGULAR -> new Entry(name, status, content(dir, name), List.of());
            case SYMLINK -> new Entry(name, status, dir.readLink(name), List.of());
            case DIRECTORY -> {
                try (Dir sub = dir.openDir(name)) {
                    yield new Entry(name, status, none, read(sub));
                }
            }
            case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE ->
                    throw new IllegalArgumentException("cannot keep " + status.type());
        };
    }

    private static byte[] content(Dir dir, byte[] name) {
        try (InputStream in = dir.read(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes it into a directory that has none of its names. */
    public void write(Path root) {
        try (Dir dir = Dir.open(root)) {
            write(entries, dir);
        }
    }

    private static void write(List<Entry> entries, Dir dir) {
        for (Entry entry : entries) {
            switch (entry.status.type()) {
                case REGULAR -> file(entry, dir);
                case SYMLINK -> dir.symlink(entry.content, entry.name);
                default -> directory(entry, dir);
            }
            dir.setModified(entry.name, entry.status.modified());
        }
    }

    private static void file(Entry entry, Dir dir) {
        try (OutputStream out = dir.create(entry.name, entry.status.mode())) {
            out.write(entry.content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void directory(Entry entry, Dir dir) {
        dir.makeDir(entry.name, entry.status.mode() | 0700);
        try (Dir sub = dir.openDir(entry.name)) {
            write(entry.below, sub);
        }
        dir.chmod(entry.name, entry.status.mode());
    }
}
