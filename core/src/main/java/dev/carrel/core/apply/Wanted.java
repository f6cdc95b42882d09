package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * What a place of the host should become.
 *
 * @param base what the base has there
 * @param target what the host should have
 * @param source where the target's content is; {@code BASE} for what the session took back
 */
record Wanted(
        TreePath path, Optional<Entry> base, Optional<Entry> target, Operation.Source source) {

    boolean isTakenBack() {
        return source == Operation.Source.BASE;
    }
}
