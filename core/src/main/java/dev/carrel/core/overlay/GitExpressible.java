package dev.carrel.core.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Splits a change set into what git can show and one line for everything that it cannot.
 *
 * @param changes for git
 * @param remarks for people, without a line end
 */
record GitExpressible(List<Change> changes, List<Remark> remarks) {

    /** The largest file that is shown, in bytes. */
    static final long FILE_LIMIT = 64L << 20;

    /** The most that is shown in all. */
    static final long TOTAL_LIMIT = 1L << 30;

    /**
     * What git cannot say about a path.
     *
     * @param isOfWhole whether the change is not shown at all
     */
    record Remark(Change change, String text, boolean isOfWhole) {}

    GitExpressible {
        changes = List.copyOf(changes);
        remarks = List.copyOf(remarks);
    }

    static GitExpressible of(ChangeSet set) {
        List<Change> changes = new ArrayList<>();
        List<Remark> remarks = new ArrayList<>();
        long total = 0;
        List<Change> all = set.changes();
        for (int i = 0; i < all.size(); i++) {
            Change change = all.get(i);
            boolean hasMore = i + 1 < all.size() && all.get(i + 1).path().startsWith(change.path());
            remark(change, hasMore).ifPresent(text -> remarks.add(new Remark(change, text, false)));
            long size = size(change.before()) + size(change.after());
            boolean large = size(change.before()) > FILE_LIMIT || size(change.after()) > FILE_LIMIT;
            if (large || total + size > TOTAL_LIMIT) {
                String text = change.kind() + ", too large to show (" + size + " bytes)";
                remarks.add(new Remark(change, text.toLowerCase(Locale.ROOT), true));
            } else {
                total += size;
                changes.add(change);
            }
        }
        return new GitExpressible(changes, remarks);
    }

    private static long size(Optional<Entry> entry) {
        return entry.orElse(null) instanceof Entry.RegularFile file ? file.size() : 0;
    }

    private static Optional<String> remark(Change change, boolean hasMore) {
        Entry before = change.before().orElse(null);
        Entry after = change.after().orElse(null);
        if (before instanceof Entry.Directory(int from)
                && after instanceof Entry.Directory(int to)) {
            return Optional.of(modes(from, to));
        }
        if (before instanceof Entry.RegularFile old
                && after instanceof Entry.RegularFile now
                && old.mode() != now.mode()
                && old.isExecutable() == now.isExecutable()) {
            return Optional.of(modes(old.mode(), now.mode()));
        }
        if (after instanceof Entry.Directory && !hasMore) {
            return Optional.of("new empty directory");
        }
        if (before instanceof Entry.Directory && !hasMore) {
            return Optional.of("deleted empty directory");
        }
        return Optional.empty();
    }

    private static String modes(int from, int to) {
        return String.format(Locale.ROOT, "mode %04o to %04o", from, to);
    }
}
