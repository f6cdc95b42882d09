package dev.carrel.cli;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.session.SweepReport;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code carrel gc}. */
@Command(
        name = "carrel gc",
        header = "Remove sessions and snapshots that nobody uses any more.",
        customSynopsis = "carrel gc [--dry-run] [--json]",
        description = {
            "",
            "A session goes, with its changes, when no command was started in it for 30 days",
            "(snapshots.upper_dir_ttl); a snapshot that no session uses after a day (workspace_ttl), or",
            "earlier when less than 5 GiB are free (snapshots.min_free_gb). What is in use never goes.",
            "Carrel does this by itself, in the background, once an hour at most.",
            ""
        },
        footer = {"", "Examples:", "  carrel gc --dry-run", "  carrel gc"})
final class GcVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Option(names = "--dry-run", description = "Only say what would be removed.")
    boolean dryRun;

    @Option(names = "--background", hidden = true, description = "Leave it to another that runs.")
    boolean background;

    @Override
    public int run(Context context) throws InterruptedException {
        SweepReport report;
        try {
            report = dryRun ? context.sessions().previewSweep() : context.sessions().sweep();
        } catch (ConflictException running) {
            if (background) {
                return ExitCode.OK;
            }
            throw running;
        }
        if (json.asked) {
            context.out().println(json(report).written());
        } else {
            lines(report, Instant.now()).forEach(context.out()::println);
        }
        return ExitCode.OK;
    }

    private List<String> lines(SweepReport report, Instant now) {
        if (report.items().isEmpty()) {
            return List.of("nothing to remove");
        }
        Table table = new Table().row("WHAT", "NAME", "USED", "SIZE");
        for (SweepReport.Item item : report.items()) {
            table.row(
                    kind(item),
                    Human.oneLine(item.name()),
                    Human.age(item.lastUsed(), now),
                    Human.size(item.bytes()));
        }
        List<String> lines = new java.util.ArrayList<>(table.lines());
        lines.add(Human.size(report.bytes()) + (dryRun ? " would be freed" : " freed"));
        return lines;
    }

    private Json json(SweepReport report) {
        return Json.object()
                .put("dryRun", dryRun)
                .put("bytes", report.bytes())
                .put("items", new Json.Array(report.items().stream().map(GcVerb::json).toList()));
    }

    private static Json json(SweepReport.Item item) {
        return Json.object()
                .put("kind", kind(item))
                .put("name", item.name())
                .put("lastUsed", item.lastUsed().toString())
                .put("bytes", item.bytes());
    }

    private static String kind(SweepReport.Item item) {
        return switch (item.kind()) {
            case SESSION -> "session";
            case SNAPSHOT -> "snapshot";
            case AGENT_HOME -> "agent-home";
        };
    }
}
