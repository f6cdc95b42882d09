package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.session.ApplyChoice;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code carrel apply}. */
@Command(
        name = "carrel apply",
        header = "Take the changes of a session into the repository.",
        customSynopsis =
                "carrel apply ID [--dry-run|--patch=FILE] [--partial] [--ignored] [--json] [PATH…]",
        description = {
            "",
            "What you changed meanwhile is merged, as git does it. Where both sides changed the same",
            "lines, nothing is written at all, the three versions are kept for you to look at, and the",
            "exit code is 1. Files that run later (hooks, CI, build scripts) are named before anything",
            "is written. The session is kept; carrel undo takes the apply back.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel apply calm-otter --dry-run",
            "  carrel apply calm-otter",
            "  carrel apply calm-otter --partial",
            "  carrel apply calm-otter src/main README.md",
            "  carrel apply calm-otter --patch=- | git -C ../other apply --index"
        })
final class ApplyVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();
    @Mixin PathOptions options = new PathOptions();

    @Option(names = "--dry-run", description = "Only say what would be done.")
    boolean dryRun;

    @Option(
            names = "--partial",
            description = "Take what is not in conflict although something else is.")
    boolean partial;

    @Option(
            names = "--patch",
            paramLabel = "FILE",
            description =
                    "Write a patch that git apply takes, - for the output, and touch nothing else.")
    Optional<String> patch = Optional.empty();

    @Override
    public int run(Context context) throws InterruptedException {
        if (patch.isPresent() && (dryRun || partial || json.asked)) {
            throw new InvalidInputException(
                    "--patch goes with --ignored and paths only, not with --dry-run, --partial and"
                            + " --json");
        }
        CoreSession found = context.sessions().find(options.session);
        if (patch.isPresent()) {
            writePatch(context, found, patch.get());
            return ExitCode.OK;
        }
        ApplyChoice choice = new ApplyChoice(options.paths, options.ignored, partial);
        Taking taking = new Taking(context, found, ApplyReport.Kind.APPLY, json.asked);
        return dryRun
                ? taking.onlySay(found.planApply(choice))
                : taking.carryOut(announce -> found.apply(choice, announce));
    }

    private void writePatch(Context context, CoreSession session, String file)
            throws InterruptedException {
        List<String> left =
                new PatchFile(context, file)
                        .write(to -> session.writePatch(options.paths, options.ignored, to));
        left.forEach(
                line -> context.err().println("carrel: not in the patch: " + Human.oneLine(line)));
    }
}
