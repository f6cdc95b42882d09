package dev.carrel.core.apply;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.Directories;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.TreePath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes the versions of what is in conflict for people to look at, into a directory of ours: three
 * trees, so that no name has to be invented. A link comes as a file that holds its text: nothing
 * there leads anywhere.
 */
public final class ConflictFiles {

    /** What a tree of versions is called. */
    public enum Side {
        /** What the session started from. */
        BASE("base"),
        /** What the host has. */
        HOST("host"),
        /** What the session has. */
        SESSION("session");

        private final String directory;

        Side(String directory) {
            this.directory = directory;
        }

        /** The name of its directory. */
        public String directory() {
            return directory;
        }
    }

    private ConflictFiles() {}

    /** Removes what was written before. */
    public static void clear(ApplyFiles files) {
        OwnDirectory.delete(files.conflicts());
    }

    /**
     * Writes them, of files up to 64 MiB; what cannot be read any more is left out.
     *
     * @return the plan, which says where they are now
     */
    public static ApplyPlan write(ApplyRequest request, ApplyPlan plan) {
        clear(request.files());
        if (plan.conflicts().isEmpty()) {
            return plan;
        }
        try (Dir root = OwnDirectory.open(request.files().conflicts())) {
            for (ApplyTarget target : request.targets()) {
                List<ApplyConflict> here =
                        plan.conflicts().stream()
                                .filter(c -> c.repo().equals(target.repoName()))
                                .toList();
                write(root, target, here);
            }
        }
        return plan.withConflictFiles(request.files().conflicts());
    }

    private static void write(Dir root, ApplyTarget target, List<ApplyConflict> conflicts) {
        try (MergedTree base = MergedTree.base(target.stack());
                MergedTree host = MergedTree.plain(target.hostRoot());
                MergedTree session = MergedTree.view(target.stack())) {
            write(root, Side.BASE, conflicts, ApplyConflict::base, base);
            write(root, Side.HOST, conflicts, ApplyConflict::host, host);
            write(root, Side.SESSION, conflicts, ApplyConflict::session, session);
        }
    }

    private static void write(
            Dir root,
            Side side,
            List<ApplyConflict> conflicts,
            Function<ApplyConflict, Optional<Entry>> version,
            MergedTree tree) {
        for (ApplyConflict conflict : conflicts) {
            TreePath place = place(side, conflict);
            Entry entry = version.apply(conflict).orElse(null);
            if (entry instanceof Entry.Link(byte[] text)) {
                copy(root, place, new ByteArrayInputStream(text));
            } else if (entry instanceof Entry.RegularFile file
                    && file.size() <= MergeDomain.FILE_LIMIT) {
                read(tree, conflict.path()).ifPresent(in -> copy(root, place, in));
            }
        }
    }

    private static TreePath place(Side side, ApplyConflict conflict) {
        TreePath place = TreePath.of(side.directory()).child(conflict.repo());
        for (byte[] name : conflict.path().components()) {
            place = place.child(name);
        }
        return place;
    }

    private static Optional<InputStream> read(MergedTree tree, TreePath path) {
        try {
            return Optional.of(tree.read(path));
        } catch (CarrelException gone) {
            return Optional.empty(); // only for looking at: what is there now decides later
        }
    }

    private static void copy(Dir root, TreePath place, InputStream content) {
        try (InputStream in = content;
                Dir directory = Directories.make(root, place.parent().orElseThrow())) {
            if (directory.stat(place.name()).isEmpty()) {
                try (OutputStream out = directory.create(place.name(), 0600)) {
                    in.transferTo(out);
                }
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot write '" + place + "' in the session's directory: " + e.getMessage(),
                    null,
                    e);
        }
    }
}
