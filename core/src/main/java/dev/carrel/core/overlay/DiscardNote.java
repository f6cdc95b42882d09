package dev.carrel.core.overlay;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.repo.NulList;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.tree.TreePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which paths are being discarded, beside the upper layer while that goes on. After a kill it tells
 * a path that is gone already from one that never was, so that the discard can be repeated.
 */
public record DiscardNote(Path file) {

    /** The one of a layer. */
    public static DiscardNote of(LayerStack stack) {
        return new DiscardNote(stack.upper().resolveSibling("discarding"));
    }

    /** Writes it in place of an earlier one. */
    public void write(List<TreePath> paths) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (TreePath path : paths) {
            list.writeBytes(path.bytes());
            list.write(0);
        }
        try {
            AtomicFile.write(file, list.toByteArray());
        } catch (HostOperationException e) {
            // A discard is what frees a full disk. Without the note, only its repetition says that
            // there is nothing any more.
        }
    }

    /** Once all of it is done. */
    public void remove() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new HostOperationException("cannot remove " + file + ": " + e, null, e);
        }
    }

    /** What a killed discard was at; empty if none was killed. */
    Set<TreePath> paths() {
        Set<TreePath> paths = new HashSet<>();
        if (Files.exists(file)) {
            NulList.forEach(file, path -> paths.add(TreePath.ofBytes(path)));
        }
        return paths;
    }
}
