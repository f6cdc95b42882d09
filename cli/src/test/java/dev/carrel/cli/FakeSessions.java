package dev.carrel.cli;

import dev.carrel.core.apply.ApplyConflict;
import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.LaterRun;
import dev.carrel.core.apply.Operation;
import dev.carrel.core.config.Configuration;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.overlay.ChangeSet;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.overlay.LayerStack;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.session.ApplyChoice;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Ending;
import dev.carrel.core.session.LogEntry;
import dev.carrel.core.session.NetworkResult;
import dev.carrel.core.session.SessionId;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionState;
import dev.carrel.core.session.SessionSummary;
import dev.carrel.core.session.SweepReport;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Sessions that remember what they were asked, and answer what a test has put here. */
final class FakeSessions implements CoreSessions, Opening {

    final List<SessionRequest> created = new ArrayList<>();
    final List<CommandRequest> ran = new ArrayList<>();
    final List<List<String>> asked = new ArrayList<>();
    final Set<String> ids = new LinkedHashSet<>();
    List<String> repos = List.of("app");
    int exit;
    Optional<String> hint = Optional.empty();
    NetworkResult network = NetworkResult.NOTHING;
    Optional<Ending> ending = Optional.empty();
    Usage usage = Usage.UNKNOWN;
    final FakeEgress egress = new FakeEgress();
    final FakeAgents agents = new FakeAgents();
    Optional<CarrelException> failure = Optional.empty();
    boolean inUse;
    boolean listable = true;
    boolean interrupted;
    ChangeSet changes = new ChangeSet(List.of(), List.of(), true);
    ApplyPlan plan = plan(Map.of(), List.of(), List.of(), List.of());
    int applied;
    Optional<Path> around = Optional.of(Path.of("/src/app"));
    int undone;

    @Override
    public CoreSessions open(Configuration configuration) {
        return this;
    }

    /** A plan that is not partial. */
    static ApplyPlan plan(
            Map<String, List<Operation>> operations,
            List<ApplyConflict> conflicts,
            List<String> notices,
            List<LaterRun> laterRuns) {
        return new ApplyPlan(
                operations, conflicts, notices, laterRuns, false, Optional.empty(), List.of());
    }

    @Override
    public CoreSession create(SessionRequest request) {
        created.add(request);
        ids.add("calm-otter");
        return new FakeSession("calm-otter");
    }

    @Override
    public CoreSession find(String reference) {
        return ids.stream()
                .filter(id -> id.startsWith(reference))
                .findFirst()
                .map(FakeSession::new)
                .orElseThrow(() ->
                        new NotFoundException(
                                "there is no session '" + reference + "'", "carrel session list"));
    }

    @Override
    public List<SessionSummary> list() {
        if (!listable) {
            throw new IllegalStateException("nobody should look");
        }
        return ids.stream().map(id -> new FakeSession(id).summary()).toList();
    }

    @Override
    public SweepReport sweep() {
        return previewSweep();
    }

    @Override
    public SweepReport previewSweep() {
        return new SweepReport(
                ids.stream()
                        .map(id ->
                                new SweepReport.Item(
                                        SweepReport.Kind.SESSION, id, Instant.EPOCH, 1024))
                        .toList());
    }

    @Override
    public CoreAgents agents(AgentSettings settings) {
        ids.add("calm-otter");
        return agents;
    }

    @Override
    public boolean claimOverdueSweep() {
        return false;
    }

    @Override
    public List<String> ids() {
        return List.copyOf(ids);
    }

    @Override
    public String remove(String reference) {
        String id = find(reference).id();
        ids.remove(id);
        return id;
    }

    @Override
    public void removeIdle(String reference) {
        if (inUse) {
            throw new ConflictException("in use");
        }
        ids.remove(reference);
    }

    @Override
    public List<String> explain(SessionRequest request, CommandRequest command) {
        return List.of("plan of " + command.argv());
    }

    @Override
    public Optional<Path> repositoryAround(Path directory) {
        return around;
    }

    private final class FakeSession implements CoreSession {
        private final String id;

        FakeSession(String id) {
            this.id = id;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public List<String> repos() {
            return repos;
        }

        @Override
        public CommandResult run(CommandRequest request) throws InterruptedException {
            ran.add(request);
            if (interrupted) {
                throw new InterruptedException();
            }
            failure.ifPresent(failed -> {
                throw failed;
            });
            return new CommandResult(
                    exit,
                    ending.orElse(new Ending.Exited(exit)),
                    Instant.EPOCH,
                    Duration.ofMillis(12),
                    usage,
                    "cgroup v1",
                    new byte[0],
                    new byte[0],
                    hint,
                    network);
        }

        @Override
        public List<String> explain(CommandRequest request) {
            return List.of("plan of " + request.argv());
        }

        @Override
        public SessionSummary summary() {
            return new SessionSummary(
                    new SessionId(id),
                    Optional.of("try"),
                    List.of(
                            new SessionSummary.RepoSummary(
                                    "app", Path.of("/src/app"), "git", Optional.of("abc"), true)),
                    Instant.parse("2026-01-02T03:04:05.678Z"),
                    Instant.parse("2026-01-02T03:04:05.678Z"),
                    Optional.of(Instant.parse("2026-02-01T03:04:05.678Z")),
                    2048,
                    3,
                    SessionState.STOPPED,
                    ResourceLimits.DEFAULT.withMemory(1L << 30));
        }

        @Override
        public List<RepoChanges> changes(List<String> paths, boolean ignored) {
            asked.add(paths);
            return List.of(
                    new RepoChanges(
                            "app",
                            new LayerStack(Path.of("/upper"), List.of(Path.of("/base"))),
                            changes));
        }

        @Override
        public void printDiff(
                List<String> paths,
                boolean ignored,
                DiffFormat format,
                boolean colour,
                OutputStream to) {
            new PrintStream(to, true, StandardCharsets.UTF_8)
                    .println(paths + " " + ignored + " " + format + " " + colour);
        }

        @Override
        public List<String> writePatch(List<String> paths, boolean ignored, OutputStream to) {
            new PrintStream(to, true, StandardCharsets.UTF_8).println("patch " + paths);
            return List.of("new empty directory: d/");
        }

        @Override
        public ApplyPlan planApply(ApplyChoice choice) {
            return plan;
        }

        @Override
        public ApplyPlan apply(ApplyChoice choice, Consumer<ApplyPlan> announce) {
            announce.accept(plan);
            if (plan.isRefused()) {
                throw new ConflictException("refused");
            }
            applied++;
            return plan;
        }

        @Override
        public ApplyPlan planUndo(boolean partial) {
            return plan;
        }

        @Override
        public ApplyPlan undo(boolean partial, Consumer<ApplyPlan> announce) {
            announce.accept(plan);
            undone++;
            return plan;
        }

        @Override
        public List<String> discard(List<String> paths) {
            return paths.isEmpty() ? List.of("a", "b") : paths;
        }

        @Override
        public CoreEgress egress() {
            return egress;
        }

        @Override
        public List<LogEntry> log() {
            return List.of(
                    new LogEntry(
                            List.of("echo", "a b"),
                            "/workspace/app",
                            Instant.parse("2026-01-02T03:04:05.678Z"),
                            Optional.of(Duration.ofMillis(1500)),
                            Optional.of(0)));
        }
    }
}
