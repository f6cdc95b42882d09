package dev.carrel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carrel undo}. */
@Command(
        name = "carrel undo",
        header = "Take the last apply of a session back.",
        customSynopsis = "carrel undo ID [--dry-run] [--partial] [--json]",
        description = {
            "",
            "What the apply replaced comes back, with its owner and permissions. A file that changed",
            "since it was applied is a conflict: nothing is undone then, and the exit code is 1. The",
            "session keeps its changes, and they can be applied again.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel undo calm-otter --dry-run",
            "  carrel undo calm-otter",
            "  carrel undo calm-otter --partial"
        })
final class UndoVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Option(names = "--dry-run", description = "Only say what would be done.")
    boolean dryRun;

    @Option(
            names = "--partial",
            description = "Take back what is still as applied although something else is not.")
    boolean partial;

    @Parameters(index = "0", paramLabel = "ID", description = "The session.")
    String session = "";

    @Override
    public int run(Context context) throws InterruptedException {
        CoreSession found = context.sessions().find(session);
        Taking taking = new Taking(context, found, ApplyReport.Kind.UNDO, json.asked);
        return dryRun
                ? taking.onlySay(found.planUndo(partial))
                : taking.carryOut(announce -> found.undo(partial, announce));
    }
}
