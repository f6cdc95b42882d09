package dev.carrel.core.apply;

import dev.carrel.core.merge.MergePath;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What three trees have at one place.
 *
 * @param found what the host has, files or not
 */
record Sides(
        HostTree.Found found,
        Optional<MergeSide> base,
        Optional<MergeSide> host,
        Optional<MergeSide> session) {

    MergePath forGit(TreePath path) {
        return new MergePath(
                path,
                base.map(MergeSide::blob),
                host.map(MergeSide::blob),
                session.map(MergeSide::blob));
    }

    /** In bytes. */
    long largest() {
        return Stream.of(base, host, session)
                .flatMap(Optional::stream)
                .mapToLong(MergeSide::size)
                .max()
                .orElse(0);
    }
}
