package dev.carrel.cli;

import dev.carrel.core.apply.ApplyPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code carrel apply}. */
@Command(
        name = "carrel apply",
        header = "Take the changes of a session into the repository.",
        customSynopsis = "carrel apply ID [--dry-run] [--ignored] [--json] [PATH…]",
        description = {
            "",
            "All or nothing: where a file that would be written has changed since the session began,",
            "nothing is written, and the exit code is 1. The session is kept.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel apply calm-otter --dry-run",
            "  carrel apply calm-otter",
            "  carrel apply calm-otter src/main README.md"
        })
final class ApplyVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();
    @Mixin PathOptions options = new PathOptions();

    @Option(names = "--dry-run", description = "Only say what would be done.")
    boolean dryRun;

    @Override
    public int run(Context context) throws InterruptedException {
        CoreSession found = context.sessions().find(options.session);
        ApplyPlan plan = found.planApply(options.paths, options.ignored);
        boolean refused = !plan.conflicts().isEmpty();
        if (!dryRun && !refused) {
            plan = found.apply(options.paths, options.ignored);
        }
        ApplyReport report =
                new ApplyReport(found.id(), found.repos().size(), plan, !dryRun && !refused);
        plan.notices().forEach(notice -> context.err().println("carrel: " + Human.oneLine(notice)));
        if (json.asked) {
            context.out().println(report.json().written());
        } else {
            report.lines().forEach(context.out()::println);
        }
        report.conflictLines().forEach(context.err()::println);
        return refused ? ExitCode.FAILED : ExitCode.OK;
    }
}
