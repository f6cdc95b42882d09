package dev.carrel.core.apply;

import dev.carrel.core.overlay.Entry;
import dev.carrel.core.tree.TreePath;

/**
 * What a merge makes of one place.
 *
 * @param found what the host had when it was merged
 */
record Resolution(TreePath path, HostTree.Found found, Outcome outcome, Memory memory) {

    /** What the host gets. */
    sealed interface Outcome {
        /** A file or link, with its permission bits. */
        record Put(Entry entry, Operation.Source source, Material material) implements Outcome {}

        /** Nothing any more. */
        record Gone() implements Outcome {}

        /** Other permission bits. */
        record Mode(int mode) implements Outcome {}

        /** What it has. */
        record AsHost() implements Outcome {}
    }
}
