package dev.carrel.core.session;

import dev.carrel.core.bwrap.CommandOptions;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.files.Inside;
import dev.carrel.core.host.CommandNotFound;
import dev.carrel.core.host.StartFailure;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.posix.IgnoredSignals;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.runtime.Joined;
import dev.carrel.core.runtime.RunningCommand;
import dev.carrel.core.runtime.SandboxedCommand;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.store.SessionLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs commands in a session. */
final class SessionCommands {

    private static final int NOT_FOUND = 127;

    /** What the log says of a command that could not be started, or was cancelled. */
    static final int FAILED = 125;

    private final HostTools tools;
    private final SessionLayout layout;
    private final SessionRecord record;
    private final SessionFiles files;
    private final Remembered remembered;
    private final LiveView view;

    SessionCommands(HostTools tools, SessionLayout layout, SessionRecord record) {
        this(tools, layout, record, new Remembered(tools, layout));
    }

    /** With what earlier commands on the session found out. */
    SessionCommands(
            HostTools tools, SessionLayout layout, SessionRecord record, Remembered remembered) {
        this.tools = tools;
        this.layout = layout;
        this.record = record;
        this.remembered = remembered;
        this.files = new SessionFiles(layout, record.identity());
        this.view = new LiveView(tools, layout, remembered);
    }

    static SessionRuntime runtime(HostTools tools, SessionLayout layout, SessionRecord record)
            throws InterruptedException {
        return new Remembered(tools, layout).runtime(record);
    }

    CommandResult run(CommandRequest request) throws InterruptedException {
        return begin(request).await();
    }

    SessionCommand begin(CommandRequest request) throws InterruptedException {
        record.requireReady();
        SandboxPath directory = directory(request);
        CommandLimits limits = CommandLimits.of(tools, layout, record, request);
        giveTerminal(request.streams());
        announceNetwork();
        Instant started = Instant.now();
        long clock = System.nanoTime();
        AtomicFile.touch(layout.lastUsed());
        NetworkUse network = new NetworkUse(tools, layout, record, request.network());
        SessionLog log = new SessionLog(layout.commandLog());
        String key = UUID.randomUUID().toString();
        // Before the start: nothing that can fail stands between a started command and waiting for
        // it.
        log.started(key, request.argv(), directory.toString(), started);
        Ended ended = new Ended(log, key, request, network);
        CommandStreams streams = CommandStreams.of(request.streams(), limits.countsOutput());
        boolean begun = false;
        try {
            RunningCommand running = start(request, directory, network, limits, streams);
            begun = true;
            return ended.watched(running, limits.supervise(running, streams), streams);
        } finally {
            if (!begun) {
                limits.close();
                streams.close();
                network.leave();
                ended.note(FAILED, Duration.ofNanos(System.nanoTime() - clock));
            }
        }
    }

    /** Each time: what this opens is easily forgotten. */
    private void announceNetwork() {
        if (record.policy().view() instanceof ViewMode.HostReadonly
                && (record.policy().seccomp() == SeccompMode.OFF
                        || record.policy().seccomp() == SeccompMode.LOG)) {
            tools.tell(
                    new SessionEvent.Warning(
                            "session "
                                    + record.id()
                                    + " shows the host, and sandbox.seccomp: "
                                    + record.policy().seccomp()
                                    + " does not deny Unix sockets: services of the host are only"
                                    + " hidden from it, and one that begins to listen later is"
                                    + " not"));
        }
        if (record.policy().network() instanceof NetworkAccess.Host) {
            String shares = "session " + record.id() + " shares the whole network of the host, ";
            tools.tell(
                    new SessionEvent.Warning(
                            switch (record.policy().view()) {
                                case ViewMode.Overlay() ->
                                        shares
                                                + "its local services included"
                                                + " (sandbox.unshare_net: false)";
                                case ViewMode.HostReadonly _ ->
                                        shares
                                                + "its local services and, where the filter does"
                                                + " not deny it, its abstract sockets included:"
                                                + " what can be read can be sent anywhere"
                                                + " (host_readonly.network: share)";
                            }));
        }
    }

    /** What is noted of a command when it has ended. */
    private final class Ended implements SessionCommand.Bookkeeping {

        private final SessionLog log;
        private final String key;
        private final CommandRequest request;
        private final NetworkUse network;
        private @Nullable SessionCommand command;

        Ended(SessionLog log, String key, CommandRequest request, NetworkUse network) {
            this.log = log;
            this.key = key;
            this.request = request;
            this.network = network;
        }

        SessionCommand watched(
                RunningCommand running, Supervision supervision, CommandStreams streams) {
            SessionCommand started = new SessionCommand(running, supervision, streams, this);
            command = started;
            tools.uses().add(started);
            tools.tell(new SessionEvent.CommandStarted(record.id(), request.argv()));
            return started;
        }

        @Override
        public void ended(int exit, Duration duration) {
            if (command != null) {
                tools.uses().remove(command);
            }
            network.leave();
            note(exit, duration);
            tools.tell(new SessionEvent.CommandEnded(record.id(), exit, duration));
        }

        void note(int exit, Duration duration) {
            noteEnd(log, key, exit, duration);
        }

        @Override
        public Optional<String> hint(int exit) {
            return SessionCommands.this.hint(exit, request);
        }

        @Override
        public NetworkResult network() {
            return network.result();
        }
    }

    private static void noteEnd(SessionLog log, String key, int exit, Duration duration) {
        try {
            log.ended(key, exit, duration);
        } catch (HostOperationException e) {
            // Of the two, how the command ended is what matters; a full disk may be its own work.
        }
    }

    private RunningCommand start(
            CommandRequest request,
            SandboxPath directory,
            NetworkUse network,
            CommandLimits limits,
            CommandStreams streams)
            throws InterruptedException {
        try {
            SessionRuntime runtime = remembered.runtime(record);
            return RunningCommand.start(
                    runtime,
                    tools.runner(),
                    record.identity(),
                    view,
                    joined -> sandboxed(request, directory, network.enter(runtime, joined), limits),
                    streams::of);
        } catch (UnsupportedHostException e) {
            throw explained(e);
        }
    }

    /** What of the machine was in the way, found by trying one thing after the other. */
    private CarrelException explained(UnsupportedHostException failure)
            throws InterruptedException {
        Optional<NotFoundException> gone = HostPlaces.missing(record);
        if (gone.isPresent()) {
            gone.get().addSuppressed(failure);
            return gone.get();
        }
        for (RepoRecord repo : record.repos()) {
            Optional<UnsupportedHostException> reason =
                    StartFailure.explain(
                            tools.bwrap(record.identity()),
                            record.identity(),
                            tools.runner(),
                            layout.layer(repo.name(), repo.generation()),
                            repo.base().lowers());
            if (reason.isPresent()) {
                reason.get().addSuppressed(failure);
                return reason.get();
            }
        }
        return failure;
    }

    /** A command opens its terminal once more by name, as in {@code >/dev/stdout}. */
    private void giveTerminal(CommandRequest.Streams streams) {
        if (streams instanceof CommandRequest.Streams.Terminal terminal
                && record.identity().switched()) {
            try {
                Files.setAttribute(terminal.device(), "unix:uid", record.identity().uid());
            } catch (IOException e) {
                throw new HostOperationException(
                        "cannot give " + terminal.device() + " to the session's user: " + e,
                        null,
                        e);
            }
        }
    }

    /** A command of Carrel's own, in a repository's root; not logged. */
    ProcessResult runInternally(RepoRecord repo, List<String> argv, Command.Input input)
            throws InterruptedException {
        return runInternally(repo.inside(), argv, Map.of(), input);
    }

    private ProcessResult runInternally(
            SandboxPath directory,
            List<String> argv,
            Map<String, String> variables,
            Command.Input input)
            throws InterruptedException {
        CommandRequest request =
                new CommandRequest(
                        argv, variables, Optional.empty(), new CommandRequest.Streams.Captured());
        return RunningCommand.start(
                        remembered.runtime(record),
                        tools.runner(),
                        record.identity(),
                        view,
                        _ -> sandboxed(request, directory, Map.of(), CommandLimits.none(layout)),
                        command ->
                                command.withStreams(
                                        input, command.standardOutput(), command.standardError()))
                .await();
    }

    /** A script of Carrel's own; not logged. */
    Inside.Result runScript(String script, Map<String, String> variables, byte[] input)
            throws InterruptedException {
        record.requireReady();
        ProcessResult result =
                runInternally(
                        scriptDirectory(),
                        List.of("sh", "-c", script),
                        variables,
                        new Command.Input.Bytes(input));
        return new Inside.Result(result.exit(), result.output(), result.error());
    }

    /** Scripts name whole paths; any directory will do. */
    private SandboxPath scriptDirectory() {
        return switch (record.policy().view()) {
            case ViewMode.Overlay() -> SandboxPath.WORKSPACE;
            case ViewMode.HostReadonly _ -> record.repos().getFirst().inside();
        };
    }

    /** A share in the running session, without a command. */
    Joined join() throws InterruptedException {
        record.requireReady();
        return remembered.runtime(record).join(view);
    }

    /** For a program that the host has and the sandbox does not show. */
    private Optional<String> hint(int exit, CommandRequest request) {
        if (exit != NOT_FOUND || record.policy().view() instanceof ViewMode.HostReadonly) {
            return Optional.empty();
        }
        return CommandNotFound.explain(
                request.argv().getFirst(),
                tools.caller(),
                record.tools(),
                paths ->
                        "show it to new sessions: --set sandbox.extra_read_only="
                                + String.join(",", paths.stream().map(Path::toString).toList()));
    }

    private SandboxPath directory(CommandRequest request) {
        return new StartPlace(record, layout, tools.settings().currentDirectory())
                .of(request.directory());
    }

    private SandboxedCommand sandboxed(
            CommandRequest request,
            SandboxPath directory,
            Map<String, String> network,
            CommandLimits limits) {
        boolean filtered = record.policy().seccomp() != SeccompMode.OFF;
        boolean ownsTerminal = Streaming.ownsTerminal(request.streams());
        Map<String, String> environment =
                CommandEnvironment.of(
                        record.policy(),
                        tools.settings().environment(),
                        toolVariables(),
                        network,
                        files.userName(tools.caller().userName()),
                        record.id(),
                        request.environment());
        return new SandboxedCommand(
                CommandOptions.of(
                        record.policy(),
                        record.identity(),
                        environment,
                        directory,
                        ownsTerminal,
                        filtered),
                filtered ? Optional.of(files.filter()) : Optional.empty(),
                program(
                        request.argv(),
                        environment.getOrDefault("PATH", ""),
                        ownsTerminal,
                        limits.pids()),
                limits.bounds());
    }

    private List<String> program(
            List<String> argv, String searched, boolean ownsTerminal, OptionalInt pids) {
        boolean starts =
                !ownsTerminal
                        && pids.isEmpty()
                        && remembered
                                .programs()
                                .starts(
                                        record.token(),
                                        argv.getFirst(),
                                        searched,
                                        () -> view.of(record).mounts());
        List<String> ignored = ownsTerminal ? IgnoredSignals.ofATerminal() : List.of();
        return starts ? argv : CommandOptions.throughShell(ownsTerminal, ignored, pids, argv);
    }

    private Map<String, String> toolVariables() {
        Map<String, String> variables = new LinkedHashMap<>(record.tools().variables());
        variables.put("PATH", record.tools().pathVariable());
        return variables;
    }

    List<String> explain(CommandRequest request) throws InterruptedException {
        SessionRuntime runtime = remembered.runtime(record);
        SandboxedCommand command =
                sandboxed(request, directory(request), Map.of(), CommandLimits.none(layout));
        List<String> lines =
                new ArrayList<>(
                        Explanation.of(
                                "the process that holds the session",
                                runtime.pauseCommand(view.of(record)),
                                runtime.pauseOptions(view.stagedOf(record))));
        Path directory = SessionFiles.runtime(layout).commands().resolve("COMMAND");
        Command joined =
                command.command(
                        record.identity(),
                        Joined.joining(0, view.of(record).ownNetwork()),
                        record.token(),
                        directory);
        lines.addAll(
                Explanation.of(
                        "the command, which joins it (0 stands for the number of that process)",
                        joined,
                        command.options().words()));
        return lines;
    }
}
