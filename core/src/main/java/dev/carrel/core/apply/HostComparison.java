package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.Contents;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** Tells whether what the host has is what the base, the session or the last apply has. */
final class HostComparison implements AutoCloseable {

    private static final int DIRECTORY_MODE = 0755;

    private final ApplyTarget target;
    private final HostTree host;
    private final MergedTree view;
    private final MergedTree base;

    HostComparison(ApplyTarget target, HostTree host) {
        this.target = target;
        this.host = host;
        this.view = MergedTree.view(target.stack()).forNeighbours();
        this.base = MergedTree.base(target.stack()).forNeighbours();
    }

    /** Whether it has the base's entry, or nothing like the base. */
    boolean isBase(Wanted wanted, HostTree.Found found) {
        Entry expected = wanted.base().orElse(null);
        if (!(found instanceof HostTree.Found.Here(Entry now, FileStatus status))) {
            return expected == null;
        }
        return switch (now) {
            case Entry.RegularFile file ->
                    expected instanceof Entry.RegularFile old
                            && ModeMerge.matches(target.modes(), old.mode(), file.mode())
                            && isBaseContent(wanted.path(), old, status);
            case Entry.Directory(int mode) ->
                    expected instanceof Entry.Directory(int old)
                            && (target.modes() == ModeMatch.EXECUTABLE || mode == old);
            case Entry.Link link -> link.equals(expected);
            case Entry.Special _ -> false;
        };
    }

    private boolean isBaseContent(TreePath path, Entry.RegularFile old, FileStatus now) {
        Optional<HostRecord> record = target.record();
        if (record.isPresent()) {
            return record.get().isUnchanged(path, now);
        }
        return old.size() == now.size() && sameContent(path, base);
    }

    /**
     * Whether nothing is to be done.
     *
     * @param known whether an earlier apply wrote there: a directory that user and session made
     *     both keeps the user's permission bits
     */
    boolean isTarget(Wanted wanted, HostTree.Found found, boolean known) {
        Entry expected = wanted.target().orElse(null);
        if (!(found instanceof HostTree.Found.Here(Entry now, FileStatus _))) {
            return expected == null;
        }
        return switch (now) {
            case Entry.RegularFile file ->
                    expected instanceof Entry.RegularFile
                            && file.mode() == targetMode(wanted, found)
                            && hasTargetContent(wanted, file);
            case Entry.Directory(int mode) ->
                    expected instanceof Entry.Directory
                            && ((wanted.base().isEmpty() && !known)
                                    || mode == targetMode(wanted, found));
            case Entry.Link link -> link.equals(expected);
            case Entry.Special _ -> false;
        };
    }

    boolean hasTargetContent(Wanted wanted, Entry.RegularFile now) {
        MergedTree source = wanted.isTakenBack() ? base : view;
        return wanted.target().orElse(null) instanceof Entry.RegularFile expected
                && expected.size() == now.size()
                && sameContent(wanted.path(), source);
    }

    private boolean sameContent(TreePath path, MergedTree source) {
        Dir directory = host.directory(path.parent().orElseThrow()).orElseThrow();
        return Contents.same(() -> directory.read(path.name()), () -> source.read(path));
    }

    /** Whether the host still has what the last apply left there. */
    boolean isApplied(Applied applied, TreePath path, HostTree.Found found) {
        if (!(found instanceof HostTree.Found.Here(Entry _, FileStatus status))) {
            return applied.host().equals(Fingerprint.ABSENT);
        }
        Dir directory = host.directory(path.parent().orElseThrow()).orElseThrow();
        return applied.host().equals(Fingerprint.of(directory, path.name(), status));
    }

    /** Whether the session still has what it had when it was last applied. */
    boolean isAppliedTarget(Applied applied, Wanted wanted) {
        return applied.session().equals(targetPrint(wanted));
    }

    /** What the session has. */
    Fingerprint targetPrint(Wanted wanted) {
        if (wanted.target().isEmpty()) {
            return Fingerprint.ABSENT;
        }
        MergedTree source = wanted.isTakenBack() ? base : view;
        return switch (wanted.target().get()) {
            case Entry.RegularFile file -> {
                try (InputStream in = source.read(wanted.path())) {
                    OutputStream nowhere = OutputStream.nullOutputStream();
                    yield Fingerprint.file(file.mode(), Fingerprint.copy(in, nowhere));
                } catch (IOException e) {
                    throw new HostOperationException(
                            "cannot read '" + wanted.path() + "': " + e.getMessage(), null, e);
                }
            }
            case Entry.Directory(int mode) -> Fingerprint.directory(mode);
            case Entry.Link(byte[] text) -> Fingerprint.link(text);
            case Entry.Special _ -> throw new IllegalStateException("no change has special files");
        };
    }

    /** Whether the base can be told from what the host made of it since. */
    boolean hasOwnBase(Wanted wanted) {
        boolean shared =
                target.record().isPresent()
                        && wanted.base().orElse(null) instanceof Entry.RegularFile;
        return !shared
                || base.status(wanted.path())
                        .filter(s -> target.record().get().isUnchanged(wanted.path(), s))
                        .isPresent();
    }

    /** Permission bits of a directory of the base. */
    int baseMode(TreePath path) {
        return base.entry(path).orElse(null) instanceof Entry.Directory(int mode)
                ? mode
                : DIRECTORY_MODE;
    }

    MergedTree view() {
        return view;
    }

    MergedTree base() {
        return base;
    }

    /**
     * The permission bits that the host's entry should get: a three-way merge, since umasks may
     * have made base and host different from the start.
     */
    int targetMode(Wanted wanted, HostTree.Found found) {
        int after = mode(wanted.target());
        boolean comparable =
                found instanceof HostTree.Found.Here(Entry now, FileStatus _)
                        && sameType(wanted.base(), wanted.target())
                        && sameType(Optional.of(now), wanted.target());
        if (!comparable) {
            return after;
        }
        int before = mode(wanted.base());
        int now = mode(Optional.of(((HostTree.Found.Here) found).entry()));
        if (wanted.isTakenBack() && target.modes() == ModeMatch.EXACT) {
            return after;
        }
        if (before == after && !wanted.isTakenBack()) {
            return now;
        }
        return now == before ? after : ModeMerge.carried(before, now, after);
    }

    private static boolean sameType(Optional<Entry> one, Optional<Entry> other) {
        return one.isPresent()
                && other.isPresent()
                && one.get().getClass().equals(other.get().getClass());
    }

    private static int mode(Optional<Entry> entry) {
        return switch (entry.orElseThrow()) {
            case Entry.RegularFile file -> file.mode();
            case Entry.Directory(int mode) -> mode;
            case Entry.Link _, Entry.Special _ -> Entry.PERMISSIONS;
        };
    }

    @Override
    public void close() {
        view.close();
        base.close();
    }
}
