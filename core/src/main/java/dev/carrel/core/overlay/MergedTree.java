package dev.carrel.core.overlay;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.overlay.MergedDirectory.Found;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A read-only look at the merged view or the base of a repository without mounting it. Links are
 * never followed, neither at the end of a path nor inside it; special files are never opened. May
 * be used while the session runs; each answer is of its own moment.
 *
 * <p>For one thread at a time.
 */
public final class MergedTree implements AutoCloseable {

    private final MergedDirectory root;
    private boolean keeps;
    private Optional<Kept> kept = Optional.empty();

    private MergedTree(List<Path> layers) {
        this.root = MergedDirectory.open(layers);
    }

    /** A directory that is kept open. */
    private record Kept(TreePath path, Found found) {}

    /**
     * Keeps the directory of the last answer open, for paths that come sorted: opening all that
     * leads to each would cost more than all else. A directory that is exchanged between two
     * answers goes unnoticed.
     */
    public MergedTree forNeighbours() {
        keeps = true;
        return this;
    }

    /** What the sandbox sees. */
    public static MergedTree view(LayerStack stack) {
        List<Path> layers = new ArrayList<>(List.of(stack.upper()));
        layers.addAll(stack.lowers());
        return new MergedTree(layers);
    }

    /** What the sandbox saw at its start. */
    public static MergedTree base(LayerStack stack) {
        return new MergedTree(stack.lowers());
    }

    /** An ordinary directory, seen in the same way. */
    public static MergedTree plain(Path directory) {
        return new MergedTree(List.of(directory));
    }

    /** The entry itself; empty where it is missing, or below something that is no directory. */
    public Optional<Entry> entry(TreePath path) {
        if (path.isRoot()) {
            return Optional.of(new Entry.Directory(0755));
        }
        return at(path, MergedTree::entry);
    }

    /** What the file system says of the entry. */
    public Optional<FileStatus> status(TreePath path) {
        return at(
                path,
                found ->
                        switch (found) {
                            case Found.Nothing() -> Optional.empty();
                            case Found.Leaf leaf -> Optional.of(leaf.status());
                            case Found.Sub sub -> Optional.of(sub.status());
                        });
    }

    /** The names in a directory, sorted by bytes; empty where it is none. */
    public List<byte[]> names(TreePath directory) {
        if (directory.isRoot()) {
            return root.names();
        }
        return at(
                        directory,
                        found ->
                                found instanceof Found.Sub sub
                                        ? Optional.of(sub.directory().names())
                                        : Optional.<List<byte[]>>empty())
                .orElse(List.of());
    }

    /**
     * The content of a regular file.
     *
     * @throws NotFoundException where there is none
     * @throws HostOperationException where it is not a regular file, or may not be read
     */
    public InputStream read(TreePath path) {
        return at(path, MergedTree::open)
                .orElseThrow(() -> new NotFoundException("there is no file '" + path + "'"));
    }

    private static Optional<InputStream> open(Found found) {
        return found instanceof Found.Leaf leaf
                ? Optional.of(leaf.holder().read(leaf.name()))
                : Optional.empty();
    }

    /** The entry that was found. */
    static Optional<Entry> entry(Found found) {
        return switch (found) {
            case Found.Nothing() -> Optional.empty();
            case Found.Sub sub -> Optional.of(new Entry.Directory(Entry.permissions(sub.status())));
            case Found.Leaf leaf -> Optional.of(entry(leaf));
        };
    }

    static Entry entry(Found.Leaf leaf) {
        FileStatus status = leaf.status();
        return switch (status.type()) {
            case REGULAR -> new Entry.RegularFile(Entry.permissions(status), status.size());
            case SYMLINK -> new Entry.Link(leaf.holder().readLink(leaf.name()));
            case DIRECTORY -> throw new IllegalStateException("a directory is not a leaf");
            case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> new Entry.Special(status.type());
        };
    }

    private <T> Optional<T> at(TreePath path, Look<T> look) {
        if (!keeps || path.depth() < 2) {
            return at(root, path.components(), 0, look);
        }
        if (!(directory(path.parent().orElseThrow()) instanceof Found.Sub sub)) {
            return Optional.empty();
        }
        try (Found found = sub.directory().find(path.name())) {
            return look.at(found);
        }
    }

    private Found directory(TreePath path) {
        if (kept.filter(k -> k.path().equals(path)).isEmpty()) {
            forget();
            kept = Optional.of(new Kept(path, found(path)));
        }
        return kept.orElseThrow().found();
    }

    private Found found(TreePath path) {
        Found found = root.find(path.components().getFirst());
        for (byte[] name : path.components().subList(1, path.depth())) {
            try (Found above = found) {
                found =
                        above instanceof Found.Sub sub
                                ? sub.directory().find(name)
                                : new Found.Nothing();
            }
        }
        return found;
    }

    private void forget() {
        kept.ifPresent(k -> k.found().close());
        kept = Optional.empty();
    }

    private static <T> Optional<T> at(
            MergedDirectory directory, List<byte[]> names, int index, Look<T> look) {
        try (Found found = directory.find(names.get(index))) {
            if (index == names.size() - 1) {
                return look.at(found);
            }
            return found instanceof Found.Sub sub
                    ? at(sub.directory(), names, index + 1, look)
                    : Optional.empty();
        }
    }

    private interface Look<T> {
        Optional<T> at(Found found);
    }

    @Override
    public void close() {
        forget();
        root.close();
    }
}
