package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * A checkout of the host while an apply is planned. Links are looked at, never followed. For one
 * thread; nobody renames directories meanwhile, as far as Carrel goes.
 */
final class HostTree implements AutoCloseable {

    /**
     * Neighbours share their directory, and the places of a small change are gone through often.
     */
    private static final int KEPT_OPEN = 64;

    private final Dir root;
    private final LinkedHashMap<TreePath, Dir> opened = new LinkedHashMap<>();

    HostTree(Path root) {
        this.root = Dir.open(root);
    }

    /** What the host has at a place. */
    sealed interface Found {
        /** Nothing. */
        record Missing() implements Found {}

        /** A link or file in place of a directory that leads there. */
        record Blocked(TreePath by, Entry what) implements Found {}

        /** An entry. */
        record Here(Entry entry, FileStatus status) implements Found {}
    }

    Found find(TreePath path) {
        Optional<Dir> parent = directory(path.parent().orElseThrow());
        if (parent.isEmpty()) {
            return obstacle(path);
        }
        byte[] name = path.name();
        return parent.get()
                .stat(name)
                .<Found>map(status -> new Found.Here(entry(parent.get(), name, status), status))
                .orElseGet(Found.Missing::new);
    }

    /** An open directory, to be used until the next call; empty where a link or nothing is. */
    Optional<Dir> directory(TreePath path) {
        if (path.isRoot()) {
            return Optional.of(root);
        }
        Dir known = opened.get(path);
        if (known != null) {
            return Optional.of(known);
        }
        if (opened.size() == KEPT_OPEN) {
            opened.pollFirstEntry().getValue().close();
        }
        Optional<Dir> directory = root.walk(path);
        directory.ifPresent(dir -> opened.put(path, dir));
        return directory;
    }

    /** What a regular file holds. */
    byte[] content(TreePath path) {
        try (InputStream in =
                directory(path.parent().orElseThrow()).orElseThrow().read(path.name())) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read '" + path + "': " + e.getMessage(), null, e);
        }
    }

    /** The status of the nearest directory above a place that exists. */
    FileStatus nearestDirectory(TreePath path) {
        Optional<TreePath> above = path.parent();
        while (above.isPresent()) {
            Optional<Dir> directory = directory(above.get());
            if (directory.isPresent()) {
                return directory.get().stat();
            }
            above = above.get().parent();
        }
        return root.stat();
    }

    private Found obstacle(TreePath path) {
        Optional<TreePath> above = path.parent();
        while (above.isPresent() && !above.get().isRoot()) {
            TreePath place = above.get();
            Optional<Dir> parent = directory(place.parent().orElseThrow());
            if (parent.isPresent()) {
                Dir dir = parent.get();
                return dir.stat(place.name())
                        .<Found>map(s -> new Found.Blocked(place, entry(dir, place.name(), s)))
                        .orElseGet(Found.Missing::new);
            }
            above = place.parent();
        }
        return new Found.Missing();
    }

    static Entry entry(Dir holder, byte[] name, FileStatus status) {
        return switch (status.type()) {
            case REGULAR -> new Entry.RegularFile(Entry.permissions(status), status.size());
            case DIRECTORY -> new Entry.Directory(Entry.permissions(status));
            case SYMLINK -> new Entry.Link(holder.readLink(name));
            case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> new Entry.Special(status.type());
        };
    }

    @Override
    public void close() {
        opened.values().forEach(Dir::close);
        root.close();
    }
}
