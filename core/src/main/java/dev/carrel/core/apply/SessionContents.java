package dev.carrel.core.apply;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.LayerStack;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileOutput;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The contents of an apply: the session's trees, and what was merged. */
final class SessionContents implements Contents {

    /** A larger file is not merged anyway. */
    private static final int ANCESTOR_LIMIT = 1 << 20;

    private final LayerStack stack;
    private final Ancestors ancestors;
    private final boolean keepAll;
    private Optional<Opened> opened = Optional.empty();

    private record Opened(Operation.Source source, MergedTree tree) {}

    /**
     * @param ancestors keeps what later merges begin with
     * @param keepAll whether it also keeps what was not merged
     */
    SessionContents(LayerStack stack, Ancestors ancestors, boolean keepAll) {
        this.stack = stack;
        this.ancestors = ancestors;
        this.keepAll = keepAll;
    }

    @Override
    public String prepare(
            Operation.Write write, Material from, Dir fresh, byte[] name, boolean synced) {
        return switch (from) {
            case Material.FromTree() -> {
                String digest = fromTree(write, fresh, name, synced);
                keep(digest, fresh, name);
                yield digest;
            }
            case Material.Merged(byte[] content, Optional<byte[]> session) -> {
                session.ifPresent(ancestors::keep);
                yield copy(write, new ByteArrayInputStream(content), fresh, name, synced);
            }
            case Material.Original original ->
                    throw new IllegalArgumentException("not of an apply: " + original);
        };
    }

    private void keep(String digest, Dir fresh, byte[] name) {
        if (keepAll && fresh.stat(name).filter(s -> s.size() <= ANCESTOR_LIMIT).isPresent()) {
            ancestors.keep(digest, fresh, name);
        }
    }

    private String fromTree(Operation.Write write, Dir fresh, byte[] name, boolean synced) {
        TreePath path = write.path();
        MergedTree tree = tree(write.source());
        Optional<FileStatus> before = tree.status(path);
        String digest = copy(write, tree.read(path), fresh, name, synced);
        // What was copied and measured is what will be put in place, whatever the session does;
        // but a file caught in the middle of a write is nobody's wish.
        if (!before.map(Task::identity).equals(tree.status(path).map(Task::identity))) {
            throw new ConflictException(
                    "'" + path + "' was written by the session while it was copied",
                    "apply again once its commands have ended");
        }
        return digest;
    }

    private static String copy(
            Operation.Write write, InputStream from, Dir fresh, byte[] name, boolean synced) {
        try (InputStream in = from;
                FileOutput out = fresh.create(name, write.mode())) {
            String digest = Fingerprint.copy(in, out);
            if (synced) {
                out.sync();
            }
            return digest;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read '" + write.path() + "': " + e.getMessage(), null, e);
        }
    }

    /** One at a time: files come by their source, mostly. */
    private MergedTree tree(Operation.Source source) {
        if (opened.filter(o -> o.source() == source).isEmpty()) {
            close();
            MergedTree tree =
                    switch (source) {
                        case VIEW -> MergedTree.view(stack);
                        case BASE -> MergedTree.base(stack);
                        case MERGED, ORIGINAL ->
                                throw new IllegalArgumentException(source + " is no tree");
                    };
            opened = Optional.of(new Opened(source, tree.forNeighbours()));
        }
        return opened.orElseThrow().tree();
    }

    @Override
    public void close() {
        opened.ifPresent(o -> o.tree().close());
        opened = Optional.empty();
    }
}
