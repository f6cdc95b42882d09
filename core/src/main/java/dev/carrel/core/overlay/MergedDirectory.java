package dev.carrel.core.overlay;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One directory as overlayfs merges it, by open directories of its layers. The rules are the
 * kernel's: the topmost layer that knows a name decides; a whiteout ends the search; directories
 * are merged down to an opaque one or to a layer that has something else there.
 */
final class MergedDirectory implements AutoCloseable {

    private final List<Dir> layers;

    private MergedDirectory(List<Dir> layers) {
        this.layers = layers;
    }

    /** The roots of these layers, topmost first. */
    static MergedDirectory open(List<Path> roots) {
        List<Dir> opened = new ArrayList<>();
        try {
            roots.forEach(root -> opened.add(Dir.open(root)));
            return new MergedDirectory(opened);
        } catch (RuntimeException failed) {
            opened.forEach(Dir::close);
            throw failed;
        }
    }

    /** A directory that holds nothing. */
    static MergedDirectory empty() {
        return new MergedDirectory(List.of());
    }

    /** What a name stands for. */
    sealed interface Found extends AutoCloseable {
        /** No such entry. */
        record Nothing() implements Found {}

        /**
         * Anything but a directory.
         *
         * @param holder the directory of the layer that decides; borrowed
         */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Leaf(Dir holder, byte[] name, FileStatus status) implements Found {}

        /**
         * A directory, to be closed.
         *
         * @param status that of the topmost layer
         */
        record Sub(MergedDirectory directory, FileStatus status) implements Found {}

        @Override
        default void close() {
            if (this instanceof Sub sub) {
                sub.directory().close();
            }
        }
    }

    /** Looks a name up. */
    Found find(byte[] name) {
        List<Dir> merged = new ArrayList<>();
        Optional<FileStatus> top = Optional.empty();
        boolean handedOut = false;
        try {
            for (Dir layer : layers) {
                Optional<FileStatus> found = layer.stat(name);
                if (found.isEmpty()) {
                    continue;
                }
                FileStatus status = found.get();
                if (status.type() != FileType.DIRECTORY) {
                    if (merged.isEmpty() && !status.isWhiteout()) {
                        return new Found.Leaf(layer, name, status);
                    }
                    break;
                }
                Optional<Dir> opened = layer.openDirIfExists(name);
                if (opened.isEmpty()) {
                    break; // exchanged meanwhile: whatever is there now, it ends the search
                }
                merged.add(opened.get());
                top = top.or(() -> found);
                if (opened.get().isOpaque()) {
                    break;
                }
            }
            handedOut = true;
            return top.<Found>map(status -> new Found.Sub(new MergedDirectory(merged), status))
                    .orElseGet(Found.Nothing::new);
        } finally {
            if (!handedOut) {
                merged.forEach(Dir::close);
            }
        }
    }

    /** All names that {@link #find} finds, sorted by unsigned bytes. */
    List<byte[]> names() {
        TreeMap<byte[], Boolean> visible = new TreeMap<>(Arrays::compareUnsigned);
        for (Dir layer : layers) {
            for (byte[] name : layer.names()) {
                if (!visible.containsKey(name)) {
                    // A name that vanishes in between is left out; one below decides then.
                    layer.stat(name).ifPresent(status -> visible.put(name, !status.isWhiteout()));
                }
            }
        }
        visible.values().removeIf(shown -> !shown);
        return List.copyOf(visible.keySet());
    }

    @Override
    public void close() {
        layers.forEach(Dir::close);
    }
}
