package dev.carrel.cli;

import dev.carrel.core.apply.ApplyConflict;
import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.ConflictFiles;
import dev.carrel.core.apply.LaterRun;
import dev.carrel.core.apply.Operation;
import dev.carrel.core.overlay.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What an apply or undo did or would do, as text and as JSON.
 *
 * @param repos how many repositories the session has
 * @param done whether it was carried out
 */
record ApplyReport(String session, int repos, Kind kind, ApplyPlan plan, boolean done) {

    /** What is reported. */
    enum Kind {
        /** Changes go to the host. */
        APPLY("apply", "applied"),
        /** They are taken back. */
        UNDO("undo", "undone");

        private final String verb;
        private final String participle;

        Kind(String verb, String participle) {
            this.verb = verb;
            this.participle = participle;
        }
    }

    /**
     * One line for each operation, as {@code git diff --name-status} has them, then how many; none
     * where nothing is done because of conflicts.
     */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (plan.isRefused()) {
            return lines;
        }
        // Also where all is in one of them: the session's paths look alike whatever is asked.
        boolean several = repos > 1;
        plan.operations()
                .forEach((repo, operations) -> {
                    for (Operation operation : operations) {
                        lines.add(
                                letter(operation)
                                        + "\t"
                                        + (several ? repo + "/" : "")
                                        + operation.path());
                    }
                });
        lines.add(session + ": " + summary(lines.size()));
        return lines;
    }

    private String summary(int count) {
        if (count == 0) {
            return "nothing to " + kind.verb;
        }
        return Human.plural(count, "change") + (done ? " " : " would be ") + kind.participle;
    }

    /** All of them, by category: one that is left out could be the one that matters. */
    List<String> laterRunLines() {
        return plan.laterRuns().stream()
                .sorted(Comparator.comparing(LaterRun::category))
                .map(run ->
                        "carrel: runs later ("
                                + run.category().label()
                                + "): "
                                + run.repo()
                                + "/"
                                + run.path())
                .toList();
    }

    List<String> conflictLines() {
        List<String> lines = new ArrayList<>();
        int count = plan.conflicts().size();
        if (count == 0) {
            return lines;
        }
        for (ApplyConflict conflict : plan.conflicts()) {
            lines.add("carrel: " + Human.oneLine(conflict.toString()));
            String versions = versions(conflict);
            if (!versions.isEmpty()) {
                lines.add("  " + versions);
            }
        }
        plan.conflictFiles()
                .ifPresent(directory -> {
                    ApplyConflict first = plan.conflicts().getFirst();
                    for (ConflictFiles.Side side : ConflictFiles.Side.values()) {
                        lines.add(
                                Human.oneLine(
                                        "  "
                                                + side.directory()
                                                + ": "
                                                + directory.resolve(side.directory())
                                                + (count == 1
                                                        ? "/" + first.repo() + "/" + first.path()
                                                        : "/")));
                    }
                });
        String places = Human.plural(count, "place");
        lines.add(
                plan.isRefused()
                        ? "carrel: nothing was "
                                + kind.participle
                                + ", since the repository changed at "
                                + places
                        : "carrel: " + places + " left as the repository has it");
        lines.addAll(remedy());
        return lines;
    }

    private List<String> remedy() {
        return switch (kind) {
            case APPLY ->
                    List.of(
                            "  fix: "
                                    + (plan.isRefused()
                                            ? "take the rest: carrel apply "
                                                    + session
                                                    + " --partial · "
                                            : "")
                                    + "change the file in the session so that both go together,"
                                    + " or throw the session's away: carrel discard "
                                    + session
                                    + " PATH…");
            case UNDO ->
                    plan.isRefused()
                            ? List.of("  fix: undo the rest: carrel undo " + session + " --partial")
                            : List.of();
        };
    }

    private static String versions(ApplyConflict conflict) {
        List<String> versions = new ArrayList<>();
        version("base", conflict.base()).ifPresent(versions::add);
        version("host", conflict.host()).ifPresent(versions::add);
        version("session", conflict.session()).ifPresent(versions::add);
        return String.join(" · ", versions);
    }

    private static Optional<String> version(String side, Optional<Entry> entry) {
        return entry.map(found ->
                side
                        + ": "
                        + switch (found) {
                            case Entry.RegularFile file ->
                                    "file "
                                            + ChangeReport.octal(file.mode())
                                            + ", "
                                            + Human.size(file.size());
                            case Entry.Directory(int mode) ->
                                    "directory " + ChangeReport.octal(mode);
                            case Entry.Link _, Entry.Special _ -> found.described();
                        });
    }

    private static char letter(Operation operation) {
        return switch (operation) {
            case Operation.Write write -> write.replaces() ? 'M' : 'A';
            case Operation.Link link -> link.replaces() ? 'M' : 'A';
            case Operation.MakeDirectory _ -> 'A';
            case Operation.ChangeMode _ -> 'M';
            case Operation.Remove _, Operation.RemoveDirectory _ -> 'D';
        };
    }

    Json json() {
        List<Json> operations = new ArrayList<>();
        if (!plan.isRefused()) {
            plan.operations()
                    .forEach((repo, each) ->
                            each.forEach(operation -> operations.add(json(repo, operation))));
        }
        List<Json> conflicts = plan.conflicts().stream().<Json>map(this::json).toList();
        List<Json> later = plan.laterRuns().stream().map(ApplyReport::json).toList();
        return Json.object()
                .put("session", session)
                .put(kind.participle, done)
                .put("operations", new Json.Array(operations))
                .put("conflicts", new Json.Array(conflicts))
                .put("runsLater", new Json.Array(later))
                .put("notices", Json.texts(plan.notices()));
    }

    private static Json json(LaterRun run) {
        return Json.object()
                .put("repo", run.repo())
                .putName("path", run.path().bytes())
                .put("category", run.category().label());
    }

    private Json.Fields json(ApplyConflict conflict) {
        Json.Fields fields =
                Json.object()
                        .put("repo", conflict.repo())
                        .putName("path", conflict.path().bytes())
                        .put("reason", conflict.reason());
        ChangeReport.entry(conflict.base()).ifPresent(json -> fields.put("base", json));
        ChangeReport.entry(conflict.host()).ifPresent(json -> fields.put("host", json));
        ChangeReport.entry(conflict.session()).ifPresent(json -> fields.put("session", json));
        plan.conflictFiles().ifPresent(directory -> fields.put("versions", directory.toString()));
        return fields;
    }

    private static Json json(String repo, Operation operation) {
        Json.Fields fields =
                Json.object().put("repo", repo).putName("path", operation.path().bytes());
        return switch (operation) {
            case Operation.Write write ->
                    fields.put("operation", "write")
                            .put("mode", ChangeReport.octal(write.mode()))
                            .put("replaces", write.replaces());
            case Operation.Link link ->
                    fields.put("operation", "link")
                            .putName("target", link.target())
                            .put("replaces", link.replaces());
            case Operation.MakeDirectory directory ->
                    fields.put("operation", "make-directory")
                            .put("mode", ChangeReport.octal(directory.mode()));
            case Operation.ChangeMode change ->
                    fields.put("operation", "change-mode")
                            .put("mode", ChangeReport.octal(change.to()));
            case Operation.Remove _ -> fields.put("operation", "remove");
            case Operation.RemoveDirectory _ -> fields.put("operation", "remove-directory");
        };
    }
}
