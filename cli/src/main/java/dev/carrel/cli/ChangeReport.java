package dev.carrel.cli;

import dev.carrel.core.overlay.Change;
import dev.carrel.core.overlay.ChangeKind;
import dev.carrel.core.overlay.ChangeSet;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.RepoChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Changes as text and as JSON. */
final class ChangeReport {

    private ChangeReport() {}

    /** A walk that was cut short counts as changed: what was not seen must not be lost. */
    static boolean isChanged(List<RepoChanges> repos) {
        return repos.stream()
                .map(RepoChanges::changeSet)
                .anyMatch(changes -> !changes.isEmpty() || !changes.complete());
    }

    /** {@code 3 files changed (1 added, 2 modified)}. */
    static String summary(List<RepoChanges> repos) {
        int added = 0;
        int modified = 0;
        int deleted = 0;
        for (RepoChanges repo : repos) {
            ChangeSet.Summary summary = repo.changeSet().summary();
            added += summary.added();
            modified += summary.modified();
            deleted += summary.deleted();
        }
        if (added + modified + deleted == 0) {
            return isChanged(repos) ? "changes that could not all be read" : "no changes";
        }
        List<String> parts = new ArrayList<>();
        count(parts, added, "added");
        count(parts, modified, "modified");
        count(parts, deleted, "deleted");
        return Human.plural(added + modified + deleted, "file")
                + " changed ("
                + String.join(", ", parts)
                + ")";
    }

    private static void count(List<String> parts, int count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }

    static Json json(List<RepoChanges> repos) {
        List<Json> changes = new ArrayList<>();
        for (RepoChanges repo : repos) {
            repo.changeSet().listed().forEach(change -> changes.add(json(repo.name(), change)));
        }
        return new Json.Array(changes);
    }

    private static Json json(String repo, Change change) {
        Json.Fields fields =
                Json.object()
                        .put("repo", repo)
                        .putName("path", change.path().bytes())
                        .put("kind", name(change.kind()));
        change.renamedFrom().ifPresent(from -> fields.putName("renamedFrom", from.bytes()));
        if (change.ignored()) {
            fields.put("ignored", true);
        }
        entry(change.before()).ifPresent(before -> fields.put("before", before));
        entry(change.after()).ifPresent(after -> fields.put("after", after));
        return fields;
    }

    private static String name(ChangeKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** One version of a place. */
    static Optional<Json> entry(Optional<Entry> entry) {
        return entry.map(found ->
                switch (found) {
                    case Entry.RegularFile file ->
                            Json.object()
                                    .put("type", "file")
                                    .put("mode", octal(file.mode()))
                                    .put("size", file.size());
                    case Entry.Directory(int mode) ->
                            Json.object().put("type", "directory").put("mode", octal(mode));
                    case Entry.Link(byte[] target) ->
                            Json.object().put("type", "symlink").putName("target", target);
                    case Entry.Special special -> Json.object().put("type", special.described());
                });
    }

    static String octal(int mode) {
        return String.format("%04o", mode);
    }
}
