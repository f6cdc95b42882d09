package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Walk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts what a copy of a plain directory would hold, without touching anything. */
final class PlainSurvey implements Walk.Visitor {

    private static final String DOT_GIT = ".git";

    private final CopyRules rules;
    private final Tally unreadable = new Tally();
    private final Tally onlyLinked = new Tally();
    private final Tally special = new Tally();
    private final Tally repositories = new Tally();
    private long entries;
    private long bytes;
    private long copiedBytes;
    private long linkable;
    private Optional<String> sample = Optional.empty();

    PlainSurvey(CopyRules rules) {
        this.rules = rules;
    }

    @Override
    public boolean enter(TreePath dir, Dir handle, FileStatus status) {
        if (!dir.isRoot() && !rules.mayList(status)) {
            unreadable.add(dir);
            return false;
        }
        entries++;
        if (!dir.isRoot() && isDotGit(dir)) {
            repositories.add(dir);
        }
        return true;
    }

    private static boolean isDotGit(TreePath path) {
        return path.equals(path.parent().orElse(TreePath.ROOT).child(DOT_GIT));
    }

    @Override
    public void file(TreePath path, Dir parent, FileStatus status) {
        if (!LayerWriter.isCopied(status.type())) {
            special.add(path);
            return;
        }
        boolean linked = rules.mayLink(status);
        boolean readable = rules.mayCopy(parent, path.name(), status);
        if (!readable) {
            (linked ? onlyLinked : unreadable).add(path);
        }
        if (!linked && !readable) {
            return;
        }
        entries++;
        if (status.type() == FileType.REGULAR) {
            bytes += status.allocatedBytes();
            linkable += linked ? 1 : 0;
            copiedBytes += linked ? 0 : status.allocatedBytes();
            if (readable && status.size() > 0) {
                sample = sample.or(() -> text(path));
            }
        }
    }

    /** A program can be given it as an argument. */
    private static Optional<String> text(TreePath path) {
        String text = path.toString();
        return TreePath.of(text).equals(path) ? Optional.of(text) : Optional.empty();
    }

    @Override
    public void unreadable(
            TreePath dir, Dir parent, FileStatus status, HostOperationException why) {
        unreadable.add(dir);
    }

    long entries() {
        return entries;
    }

    /** What all files take on disk. */
    long bytes() {
        return bytes;
    }

    /** What those take that cannot be linked. */
    long copiedBytes() {
        return copiedBytes;
    }

    boolean anyLinkable() {
        return linkable > 0;
    }

    /** A readable file with content. */
    Optional<String> sample() {
        return sample;
    }

    /** What a base made in this way leaves out: a link needs no reading. */
    List<String> notices(BaseMethod method) {
        List<String> notices = new ArrayList<>();
        if (method != BaseMethod.HARD_LINKS) {
            unreadable.addAll(onlyLinked);
        }
        unreadable.first.ifPresent(p -> notices.add(Notices.unreadable(unreadable.count, p)));
        special.first.ifPresent(p -> notices.add(Notices.special(special.count, p)));
        repositories.first.ifPresent(p ->
                notices.add(
                        Notices.counted(
                                        repositories.count,
                                        "git directory is",
                                        "git directories are")
                                + " copied as files and never applied: "
                                + p));
        return notices;
    }

    private static final class Tally {
        private int count;
        private Optional<TreePath> first = Optional.empty();

        void add(TreePath path) {
            count++;
            first = first.or(() -> Optional.of(path));
        }

        void addAll(Tally other) {
            count += other.count;
            first = first.or(() -> other.first);
        }
    }
}
