package dev.carrel.cli;

import dev.carrel.core.session.SessionSummary;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code carrel session list}. */
@Command(
        name = "carrel session list",
        header = "List the sessions, the one last used first.",
        customSynopsis = "carrel session list [--json]",
        description = {
            "",
            "SIZE is what a session occupies on disk by itself, CHANGES how many files differ from its",
            "base, git-ignored ones not counted.",
            ""
        },
        footer = {"", "Examples:", "  carrel session list", "  carrel session list --json"})
final class SessionListVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Option(names = "--ids", hidden = true, description = "Print ids only, for completion.")
    boolean ids;

    @Override
    public int run(Context context) throws InterruptedException {
        if (ids) {
            context.sessions().ids().forEach(context.out()::println);
            return ExitCode.OK;
        }
        List<SessionSummary> sessions = context.sessions().list();
        if (json.asked) {
            context.out()
                    .println(
                            new Json.Array(sessions.stream().map(SessionReport::json).toList())
                                    .written());
        } else if (sessions.isEmpty()) {
            context.tell(List.of("there are no sessions; make one: carrel run -- CMD"));
        } else {
            SessionReport.table(sessions, Instant.now()).forEach(context.out()::println);
        }
        return ExitCode.OK;
    }
}
