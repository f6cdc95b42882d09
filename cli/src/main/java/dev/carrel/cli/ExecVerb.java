package dev.carrel.cli;

import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code carrel exec}. */
@Command(
        name = "carrel exec",
        header = "Run a command in an existing session.",
        customSynopsis = "carrel exec ID [OPTIONS] [--] CMD [ARG…]",
        description = {
            "",
            "Any number of commands may run in a session at once. They see each other's files at"
                    + " once and",
            "share its network, and each ends by itself.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel exec calm-otter -- git log --oneline",
            "  carrel exec calm --cwd web --env PORT=3000 --publish 3000 -- npm start",
            "  carrel exec calm --allow registry.example.org -- npm install",
            "  carrel exec calm --json -- make >result.json"
        })
final class ExecVerb implements TakesSession {

    @Mixin HelpOption help = new HelpOption();
    @Mixin CommandOptions options = new CommandOptions();
    @Mixin AllowOption allow = new AllowOption();
    @Mixin LimitOptions limits = new LimitOptions();
    @Mixin SessionWords words = new SessionWords();

    @Option(
            names = "--json",
            description =
                    "Print one JSON object on standard output, as run --json does. What the"
                            + " command writes goes to standard error then.")
    boolean json;

    @Override
    public void session(String reference) {
        words.session(reference);
    }

    @Override
    public void command(List<String> given) {
        words.words = given;
    }

    @Override
    public int run(Context context) throws InterruptedException {
        CommandRequest request =
                options.request(
                        context, words.command(), Optional.empty(), allow.hosts, limits.limits());
        context.requireEnabled();
        CoreSession session = context.sessions().find(words.session());
        StreamPlan plan =
                json
                        ? StreamPlan.withFreeOutput(context::isTerminal)
                        : StreamPlan.of(context::isTerminal);
        CommandResult result = new CommandRun(plan).run(session, request);
        if (json) {
            new AfterRun(context, session, AfterRun.Fate.KEEP).report(result, true);
            return result.exit();
        }
        result.hint().ifPresent(hint -> context.err().println("carrel: " + Human.oneLine(hint)));
        new LimitReport(result).tell(context);
        new NetworkReport(session.id(), true, result.network()).tell(context);
        return result.exit();
    }
}
