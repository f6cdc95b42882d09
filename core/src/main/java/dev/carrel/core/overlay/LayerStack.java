package dev.carrel.core.overlay;

import java.nio.file.Path;
import java.util.List;

/**
 * The layers of one repository's view. The directories are Carrel's own; their contents are
 * hostile.
 *
 * @param upper the writable layer
 * @param lowers what lies below it, topmost first; the last one is the snapshot
 */
public record LayerStack(Path upper, List<Path> lowers) {

    public LayerStack {
        lowers = List.copyOf(lowers);
        if (lowers.isEmpty()) {
            throw new IllegalArgumentException("a view needs a base below " + upper);
        }
    }
}
