package dev.carrel.core.apply;

import dev.carrel.core.merge.MergeConflict;
import dev.carrel.core.merge.MergeResult;
import dev.carrel.core.tree.TreePath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Says of each place of a conflict what the two sides did there. */
final class ConflictText {

    private final MergeConflict conflict;
    private final Map<TreePath, Sides> sides;
    private final MergeResult result;

    ConflictText(MergeConflict conflict, Map<TreePath, Sides> sides, MergeResult result) {
        this.conflict = conflict;
        this.sides = sides;
        this.result = result;
    }

    Map<TreePath, String> lines() {
        Map<TreePath, String> lines = new LinkedHashMap<>();
        for (TreePath path : conflict.paths()) {
            Sides of = sides.get(path);
            if (of != null) {
                lines.put(path, line(path, of));
            }
        }
        if (lines.isEmpty()) {
            lines.put(conflict.paths().getFirst(), general());
        }
        return lines;
    }

    private String line(TreePath path, Sides of) {
        boolean host = of.host().isPresent();
        boolean session = of.session().isPresent();
        return switch (conflict.kind()) {
            case CONTENTS, BINARY ->
                    renamed(path).map(text -> text + ", and ").orElse("") + general();
            case DELETED ->
                    host
                            ? "the host changed it, the session deleted it"
                            : "the session changed it, the host deleted it";
            case RENAMED_DELETED, RENAMED_TWICE, LOCATION, OTHER ->
                    renamed(path)
                            .orElseGet(() ->
                                    conflict.kind() == MergeConflict.Kind.RENAMED_DELETED
                                                    && !host
                                                    && !session
                                            ? "one side deleted it, the other renamed it"
                                            : general());
            case DIRECTORY, TYPES -> general();
        };
    }

    private String general() {
        return switch (conflict.kind()) {
            case CONTENTS -> "both sides changed the same lines";
            case BINARY -> "both sides changed it, and it is no text";
            case DELETED -> "one side changed it, the other deleted it";
            case RENAMED_DELETED -> "one side renamed it, the other deleted it";
            case RENAMED_TWICE -> "both sides renamed it, to different names";
            case DIRECTORY -> "one side has a directory there, the other a file";
            case TYPES -> "the sides have different types of files there";
            case LOCATION -> "one side added it to a directory that the other renamed";
            case OTHER -> "both sides changed it in ways that do not go together";
        };
    }

    private Optional<String> renamed(TreePath path) {
        return renamed("the host", path, result.hostRenames())
                .or(() -> renamed("the session", path, result.sessionRenames()));
    }

    private static Optional<String> renamed(
            String side, TreePath path, Map<TreePath, TreePath> renames) {
        if (renames.containsKey(path)) {
            return Optional.of(side + " renamed '" + renames.get(path) + "' to it");
        }
        return renames.entrySet().stream()
                .filter(rename -> rename.getValue().equals(path))
                .map(rename -> side + " renamed it to '" + rename.getKey() + "'")
                .findFirst();
    }
}
