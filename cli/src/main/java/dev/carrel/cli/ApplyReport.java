package dev.carrel.cli;

import dev.carrel.core.apply.ApplyConflict;
import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * What an apply did or would do, as text and as JSON.
 *
 * @param repos how many repositories the session has
 * @param done whether it was carried out
 */
record ApplyReport(String session, int repos, ApplyPlan plan, boolean done) {

    /**
     * One line for each operation, as {@code git diff --name-status} has them, then how many; none
     * where there are conflicts, since nothing is done then.
     */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!plan.conflicts().isEmpty()) {
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
            return "nothing to apply";
        }
        return Human.plural(count, "change") + (done ? " applied" : " would be applied");
    }

    List<String> conflictLines() {
        List<String> lines = new ArrayList<>();
        for (ApplyConflict conflict : plan.conflicts()) {
            lines.add("carrel: " + Human.oneLine(conflict.toString()));
        }
        if (!lines.isEmpty()) {
            lines.add(
                    "carrel: nothing was applied, since the repository changed at "
                            + Human.plural(lines.size(), "place"));
            lines.add(
                    "  fix: name the paths to take: carrel apply "
                            + session
                            + " PATH… · or throw the session's away: carrel discard "
                            + session
                            + " PATH…");
        }
        return lines;
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
        plan.operations()
                .forEach((repo, each) ->
                        each.forEach(operation -> operations.add(json(repo, operation))));
        List<Json> conflicts = new ArrayList<>();
        for (ApplyConflict conflict : plan.conflicts()) {
            conflicts.add(
                    Json.object()
                            .put("repo", conflict.repo())
                            .putName("path", conflict.path().bytes())
                            .put("reason", conflict.reason()));
        }
        return Json.object()
                .put("session", session)
                .put("applied", done)
                .put("operations", new Json.Array(operations))
                .put("conflicts", new Json.Array(conflicts))
                .put("notices", Json.texts(plan.notices()));
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
