package dev.carrel.cli;

import dev.carrel.core.session.SessionSummary;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel session show}. */
@Command(
        name = "carrel session show",
        header = "Show what is known of a session.",
        customSynopsis = "carrel session show ID [--json]",
        description = "",
        footer = {"", "Examples:", "  carrel session show calm-otter"})
final class SessionShowVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Parameters(paramLabel = "ID", description = "The session.")
    String session = "";

    @Override
    public int run(Context context) throws InterruptedException {
        SessionSummary summary = context.sessions().find(session).summary();
        if (json.asked) {
            context.out().println(SessionReport.json(summary).written());
        } else {
            SessionReport.details(summary, Instant.now()).forEach(context.out()::println);
        }
        return ExitCode.OK;
    }
}
