package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.SessionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carrel run}. */
@Command(
        name = "carrel run",
        header = "Run a command in an isolated copy of a repository.",
        customSynopsis = "carrel run [OPTIONS] [--] CMD [ARG…]",
        description = {
            "",
            "The command starts in the same sub-directory, reads and writes the caller's streams,"
                    + " and its",
            "exit code passes through. A session without changes is removed afterwards, one with"
                    + " changes",
            "is kept. Options end at the first word of the command.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel run npm test",
            "  carrel run --include node_modules --env CI=1 -- npm test",
            "  carrel run --repo ~/src/app --repo lib=~/src/library -- make",
            "  carrel run --keep bash",
            "  carrel run --allow registry.example.org -- npm install",
            "  carrel run --publish 3000 -- npm start",
            "  carrel run --mode host_readonly -- journalctl -b -p err",
            "  carrel run --memory 2G --timeout 5m -- make test",
            "  carrel run --json -- make >result.json"
        })
final class RunVerb implements TakesCommand {

    @Mixin HelpOption help = new HelpOption();
    @Mixin SessionOptions sessionOptions = new SessionOptions();
    @Mixin CommandOptions commandOptions = new CommandOptions();
    @Mixin AllowOption allow = new AllowOption();
    @Mixin LimitOptions limits = new LimitOptions();

    @Option(
            names = "--session",
            paramLabel = "ID",
            description = "Use this session, which is kept, instead of a new one.")
    Optional<String> existing = Optional.empty();

    @Option(names = "--rm", description = "Remove the session afterwards in any case.")
    boolean remove;

    @Option(names = "--keep", description = "Keep the session afterwards in any case.")
    boolean keep;

    @Option(
            names = "--json",
            description =
                    "Print one JSON object on standard output: session, kept, exit,"
                            + " durationMillis, ending, usage, changes, and what was denied in the network, if"
                            + " anything. What the command writes goes to standard"
                            + " error then. A name that is not UTF-8 comes as base64 in a field"
                            + " pathBytes besides.")
    boolean json;

    @Parameters(paramLabel = "CMD", arity = "0..*", hidden = true)
    List<String> words = List.of();

    @Override
    public void command(List<String> given) {
        words = given;
    }

    @Override
    public int run(Context context) throws InterruptedException {
        check();
        CoreSession session;
        CommandRequest request;
        if (existing.isPresent()) {
            request =
                    commandOptions.request(
                            context, words, Optional.empty(), allow.hosts, limits.limits());
            context.requireEnabled();
            session = context.sessions().find(existing.get());
        } else {
            SessionRequest wanted = sessionOptions.requestAsking(context, allow, limits);
            request =
                    commandOptions.request(
                            context,
                            words,
                            StartDirectory.of(context, wanted.repos()),
                            List.of(),
                            ResourceLimits.NONE);
            session = context.sessions().create(wanted);
        }
        return run(context, session, request);
    }

    private int run(Context context, CoreSession session, CommandRequest request)
            throws InterruptedException {
        CommandResult result;
        try {
            result = commandRun(context).run(session, request);
        } catch (CarrelException failed) {
            // What could not be started changed nothing.
            new AfterRun(context, session, fate()).afterFailure(failed);
            throw failed;
        } catch (InterruptedException interrupted) {
            new AfterRun(context, session, fate()).reportInterrupted();
            throw interrupted;
        }
        new AfterRun(context, session, fate()).report(result, json);
        return result.exit();
    }

    private void check() {
        List<String> problems = new ArrayList<>();
        if (existing.isPresent() && sessionOptions.given()) {
            problems.add(
                    "--repo, --mode, --name, --mount, --include, --no-uncommitted and --set make a new"
                            + " session; --session uses one that exists");
        }
        if (remove && keep) {
            problems.add("--rm and --keep exclude each other");
        }
        if (words.isEmpty()) {
            problems.add("there is no command to run");
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, "carrel help run");
        }
    }

    private CommandRun commandRun(Context context) {
        return new CommandRun(
                json
                        ? StreamPlan.withFreeOutput(context::isTerminal)
                        : StreamPlan.of(context::isTerminal));
    }

    private AfterRun.Fate fate() {
        if (remove) {
            return AfterRun.Fate.REMOVE;
        }
        return keep || existing.isPresent() ? AfterRun.Fate.KEEP : AfterRun.Fate.KEEP_CHANGES;
    }
}
