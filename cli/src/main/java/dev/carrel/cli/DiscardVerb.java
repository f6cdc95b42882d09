package dev.carrel.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel discard}. */
@Command(
        name = "carrel discard",
        header = "Throw changes of a session away.",
        customSynopsis = "carrel discard ID [--json] [PATH…]",
        description = {
            "",
            "Without PATH everything goes at once, commits made inside included. The session is kept.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel discard calm-otter src/generated",
            "  carrel discard calm-otter"
        })
final class DiscardVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "ID", description = "The session.")
    String session = "";

    @Parameters(
            index = "1..*",
            paramLabel = "PATH",
            description = "Only what is at or below these paths, written as for diff.")
    List<String> paths = List.of();

    @Override
    public int run(Context context) throws InterruptedException {
        CoreSession found = context.sessions().find(session);
        List<String> discarded = found.discard(paths);
        if (json.asked) {
            context.out()
                    .println(
                            Json.object()
                                    .put("session", found.id())
                                    .put("discarded", Json.texts(discarded))
                                    .written());
            return ExitCode.OK;
        }
        discarded.forEach(path -> context.out().println(Human.oneLine(path)));
        context.out()
                .println(
                        found.id()
                                + ": "
                                + (discarded.isEmpty()
                                        ? "nothing to discard"
                                        : "the changes of "
                                                + Human.plural(discarded.size(), "file")
                                                + " are discarded"));
        return ExitCode.OK;
    }
}
