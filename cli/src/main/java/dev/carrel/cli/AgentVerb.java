package dev.carrel.cli;

import dev.carrel.core.agent.AgentRequest;
import dev.carrel.core.agent.AgentResult;
import dev.carrel.core.agent.AgentRun;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.session.ApplyChoice;
import dev.carrel.core.session.SessionId;
import dev.carrel.core.session.SessionRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carrel agent}. */
@Command(
        name = "carrel agent",
        header = "Have a coding agent do something in an isolated copy of a repository.",
        customSynopsis = "carrel agent BACKEND QUERY|- [OPTIONS]",
        description = {
            "",
            "BACKEND is claude_code, codex, gemini_cli, opencode, or one of your own; carrel agent list",
            "shows them. Its answer is written to standard output. What it changed stays in the session",
            "until you apply it. - reads the query from standard input.",
            "",
            "Exit codes: 0 done, 1 not done, 2 wrong usage, 124 out of time, 127 no such program, 130",
            "interrupted, 137 out of memory.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel agent claude_code \"create a file foo.txt with the word bar\"",
            "  carrel agent codex --repo ~/src/app --timeout 20m \"fix the failing test\"",
            "  carrel agent codex --resume 0199a213-81c0 \"now add a test for it\"",
            "  carrel agent gemini_cli --allow registry.example.org - <task.txt",
            "  carrel agent opencode --apply --json \"update the copyright year\""
        })
final class AgentVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin SessionOptions sessionOptions = new SessionOptions();
    @Mixin LimitOptions limits = new LimitOptions();

    @Option(
            names = "--allow",
            paramLabel = "HOST",
            description =
                    "A host that this run may reach besides those of the backend; may be given more"
                            + " than once.")
    List<String> hosts = List.of();

    @Option(
            names = "--session",
            paramLabel = "ID",
            description = "Work in this session, which is kept, instead of a new one.")
    Optional<String> existing = Optional.empty();

    @Option(
            names = "--resume",
            paramLabel = "CONVERSATION",
            description = "Go on with this conversation, in the session that has it.")
    Optional<String> resume = Optional.empty();

    @Option(names = "--model", paramLabel = "MODEL", description = "The model to use.")
    Optional<String> model = Optional.empty();

    @Option(
            names = "--json",
            description =
                    "Print one JSON object on standard output: how it ended, the answer, the"
                            + " conversation, tokens, changes.")
    boolean json;

    @Option(
            names = "--stream-json",
            description =
                    "Print one JSON object for each thing that the agent does, and last the result.")
    boolean stream;

    @Option(
            names = "--apply",
            description = "Take the changes into the repository if the agent succeeded.")
    boolean apply;

    @Option(names = "--keep", description = "Keep the session in any case.")
    boolean keep;

    @Option(
            names = "--discard",
            description =
                    "Remove the session that the run made in any case, with all that changed.")
    boolean discard;

    @Parameters(index = "0", paramLabel = "BACKEND", description = "Which agent.")
    String backend = "";

    @Parameters(
            index = "1",
            paramLabel = "QUERY",
            description = "What it is to do; - reads it from standard input.")
    String query = "";

    @Override
    public int run(Context context) throws InterruptedException {
        AgentSettings settings = context.users().agents();
        check(settings.tier());
        AgentRequest request = request(context);
        AgentReport report = new AgentReport(context, backend, json, stream);
        try (CoreAgents agents = context.sessions().agents(settings)) {
            AgentRun run = agents.start(request, report);
            report.begin();
            AgentResult result = await(context, run, report);
            return finish(context, settings, result, report);
        } finally {
            report.close();
        }
    }

    private static AgentResult await(Context context, AgentRun run, AgentReport report)
            throws InterruptedException {
        try {
            return run.await();
        } catch (InterruptedException e) {
            Optional<String> session = run.session().map(SessionId::value);
            report.interrupted(
                    session, session.filter(context.sessions().ids()::contains).isPresent());
            throw e;
        }
    }

    private int finish(
            Context context, AgentSettings settings, AgentResult result, AgentReport report)
            throws InterruptedException {
        boolean applies = apply && result.ending().succeeded() && result.session().isPresent();
        report.result(result, applies);
        int exit = AgentReport.exit(result);
        if (!applies) {
            return exit;
        }
        CoreSession session = context.sessions().find(result.session().orElseThrow().value());
        // The object of the result is alone on standard output.
        Context quiet = json || stream ? context.withOutputToError() : context;
        int applied =
                new Taking(quiet, session, ApplyReport.Kind.APPLY, false)
                        .carryOut(announce ->
                                session.apply(new ApplyChoice(List.of(), false, false), announce));
        if (applied == ExitCode.OK && existing.isEmpty() && settings.retain() == Retain.NEVER) {
            context.sessions().remove(session.id());
        }
        return applied;
    }

    private AgentRequest request(Context context) throws InterruptedException {
        SessionRequest workspace =
                sessionOptions.requestAsking(context, new AllowOption(), new LimitOptions());
        Optional<Retain> retain =
                keep || apply
                        ? Optional.of(Retain.ALWAYS)
                        : discard ? Optional.of(Retain.NEVER) : Optional.empty();
        return new AgentRequest(
                backend,
                prompt(context),
                workspace,
                existing,
                resume,
                model,
                existing.isPresent() || resume.isPresent()
                        ? Optional.empty()
                        : StartDirectory.of(context, workspace.repos()),
                hosts,
                limits.limits(),
                retain);
    }

    private String prompt(Context context) {
        if (!query.equals("-")) {
            return query;
        }
        try {
            return new String(context.surroundings().in().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InvalidInputException("cannot read the query from standard input: " + e);
        }
    }

    private void check(Tier tier) {
        List<String> problems = new ArrayList<>();
        boolean goesOn = existing.isPresent() || resume.isPresent();
        if (goesOn && sessionOptions.given()) {
            problems.add(
                    "--repo, --mode, --name, --mount, --include, --no-uncommitted and --set make a"
                            + " new session; --session and --resume use one that exists");
        }
        if (goesOn && discard) {
            problems.add(
                    "--discard removes the session that a run makes; the one of --session or"
                            + " --resume is kept (carrel session rm)");
        }
        if ((keep ? 1 : 0) + (discard ? 1 : 0) + (apply ? 1 : 0) > 1) {
            problems.add("--apply, --keep and --discard exclude each other");
        }
        if (json && stream) {
            problems.add("--json and --stream-json exclude each other");
        }
        if (tier == Tier.PROCESS) {
            problems.addAll(onlyOfSessions());
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, "carrel help agent");
        }
    }

    /** What would mean nothing to a plain process: it has no session, and works on the checkout. */
    private List<String> onlyOfSessions() {
        String plain = "; agents are plain processes here (external_agent.default_sandbox_tier: 0)";
        List<String> problems = new ArrayList<>();
        if (sessionOptions.givenBesidesRepos()) {
            problems.add(
                    "--mode, --name, --mount, --include, --no-uncommitted and --set make a session"
                            + plain);
        }
        if (discard) {
            problems.add("--discard throws away what a session holds" + plain);
        }
        return problems;
    }
}
