package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.process.StandardStream;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code carrel diff}. */
@Command(
        name = "carrel diff",
        header = "Show what a session changed.",
        customSynopsis =
                "carrel diff ID [--stat|--name-status|--json] [--ignored] [--color=WHEN] [PATH…]",
        description = {"", "The patch is one that git apply takes.", ""},
        footer = {
            "",
            "Examples:",
            "  carrel diff calm-otter",
            "  carrel diff calm-otter --stat src",
            "  carrel diff calm-otter --json --ignored"
        })
final class DiffVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();
    @Mixin PathOptions options = new PathOptions();

    @Option(names = "--stat", description = "One line a file, with the number of changed lines.")
    boolean stat;

    @Option(names = "--name-status", description = "One letter and one path a line.")
    boolean nameStatus;

    @Option(
            names = {"--color", "--colour"},
            paramLabel = "WHEN",
            arity = "0..1",
            fallbackValue = "always",
            description = "auto (the default), always or never.")
    String colour = "auto";

    @Override
    public int run(Context context) throws InterruptedException {
        boolean coloured = isColoured(context);
        List<Boolean> formats = List.of(stat, nameStatus, json.asked);
        if (formats.stream().filter(asked -> asked).count() > 1) {
            throw new InvalidInputException("--stat, --name-status and --json exclude each other");
        }
        CoreSession found = context.sessions().find(options.session);
        if (json.asked) {
            List<RepoChanges> changes = found.changes(options.paths, options.ignored);
            context.out().println(ChangeReport.json(changes).written());
        } else {
            found.printDiff(options.paths, options.ignored, format(), coloured, context.out());
        }
        return ExitCode.OK;
    }

    private DiffFormat format() {
        if (stat) {
            return DiffFormat.STAT;
        }
        return nameStatus ? DiffFormat.NAME_STATUS : DiffFormat.PATCH;
    }

    private boolean isColoured(Context context) {
        return switch (colour) {
            case "auto" ->
                    context.isTerminal(StandardStream.OUTPUT)
                            && context.surroundings()
                                    .environment()
                                    .getOrDefault("NO_COLOR", "")
                                    .isEmpty();
            case "always" -> true;
            case "never" -> false;
            default ->
                    throw new InvalidInputException(
                            "--color=" + colour + ": use one of auto, always, never");
        };
    }
}
