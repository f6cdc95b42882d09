package dev.carrel.core.agent;

import dev.carrel.core.adapter.Adapters;
import dev.carrel.core.adapter.AgentAdapter;
import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.host.Caller;
import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.Nearest;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.Quantity;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs agents' command lines. Safe for many threads; any number may run at once, each in a session
 * of its own. Close it after the runs that it began.
 */
public final class Agents implements AutoCloseable {

    private static final int HTTPS = 443;

    private final Sessions sessions;
    private final Adapters adapters;
    private final AgentSettings settings;
    private final Caller caller;
    private final Settings surroundings;
    private final ProcessRunner runner = new HostProcessRunner();
    private final LimitKeeper keeper = new LimitKeeper();

    private Agents(
            Sessions sessions, Adapters adapters, AgentSettings settings, Settings surroundings) {
        this.sessions = sessions;
        this.adapters = adapters;
        this.settings = settings;
        this.surroundings = surroundings;
        this.caller = Caller.current().with(surroundings.environment());
    }

    /**
     * All agents of this machine: the built-in ones, those of the class path, and those that the
     * settings describe. Starts nothing.
     *
     * @param sessions where they run at tier 1; stays open
     * @param surroundings the same as the sessions'
     * @throws InvalidInputException if a description is wrong, or two have the same name
     */
    public static Agents open(Sessions sessions, AgentSettings settings, Settings surroundings) {
        return open(
                sessions,
                Adapters.load(
                        settings.backends().values().stream()
                                .flatMap(backend -> backend.adapter().stream())
                                .distinct()
                                .toList()),
                settings,
                surroundings);
    }

    /** The same with these agents only. */
    public static Agents open(
            Sessions sessions, Adapters adapters, AgentSettings settings, Settings surroundings) {
        List<String> problems = new ArrayList<>();
        List<String> names = adapters.all().stream().map(AgentAdapter::name).toList();
        settings.backends()
                .forEach((name, backend) -> {
                    if (!names.contains(name)) {
                        problems.add(unknown(name, backend, names));
                    }
                });
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    problems, "Known are " + String.join(", ", names) + ".");
        }
        return new Agents(sessions, adapters, settings, surroundings);
    }

    private static String unknown(String name, Backend backend, List<String> names) {
        return "external_agent.backends."
                + name
                + backend.adapter()
                        .map(file -> ": " + file + " describes an agent of another name")
                        .orElseGet(() ->
                                ": there is no agent of this name"
                                        + Nearest.within(name, names)
                                                .map(near -> "; did you mean " + near + "?")
                                                .orElse(""));
    }

    /**
     * Starts an agent.
     *
     * @param events is told what it does, one event at a time, on threads of the run
     * @return the run; one that has ended already where the program or the key is missing
     * @throws InvalidInputException for what cannot be meant: no such backend, a wrong host
     * @throws dev.carrel.core.failure.CarrelException if it could not be started; nothing of it
     *     runs, and nothing is left
     */
    public AgentRun start(AgentRequest request, Consumer<AgentEvent> events)
            throws InterruptedException {
        AgentAdapter adapter = adapters.find(request.backend());
        Backend backend = settings.backend(adapter.name());
        if (!backend.enabled()) {
            throw new ConflictException(
                    "external_agent.backends."
                            + adapter.name()
                            + ".enabled is false, so it is not run");
        }
        List<String> variables = adapter.service(request.model().or(backend::model)).keyVariables();
        Optional<Credentials> found = keys().find(adapter.name(), backend, variables);
        boolean mayHaveLoggedIn = request.session().isPresent() || request.resume().isPresent();
        if (found.isEmpty() && !mayHaveLoggedIn) {
            return notStarted(
                    adapter,
                    new AgentEnding.Unauthenticated(
                            "there is no key for " + adapter.name(),
                            "Set "
                                    + String.join(" or ", variables)
                                    + ", or external_agent.backends."
                                    + adapter.name()
                                    + ".key_file or key_command."));
        }
        return spawn(adapter, found.orElse(Credentials.NONE), request, events);
    }

    /**
     * Starts an agent by an adapter and with a key that the caller has; the request's backend only
     * names the settings that hold.
     *
     * @see #start(AgentRequest, Consumer)
     */
    public AgentRun spawn(
            AgentAdapter adapter,
            Credentials credentials,
            AgentRequest request,
            Consumer<AgentEvent> events)
            throws InterruptedException {
        Backend backend = settings.backend(request.backend());
        Optional<AgentProgram> program = AgentProgram.find(adapter, backend, caller);
        if (program.isEmpty()) {
            return notStarted(adapter, missing(adapter, backend));
        }
        Task task =
                new Task(
                        adapter,
                        backend,
                        credentials,
                        request,
                        program.get(),
                        AgentHosts.of(
                                request.backend(),
                                adapter.service(request.model().or(backend::model)),
                                backend.allowedEgress(),
                                request.egress(),
                                backend.baseUrl()));
        requireMemory(task);
        if (settings.tier() == Tier.SANDBOX && hasNoWayOut(task)) {
            return notStarted(adapter, notAllowed(task));
        }
        return new Places(sessions, settings, surroundings, caller, runner, keeper)
                .start(task, events);
    }

    private AgentRun notStarted(AgentAdapter adapter, AgentEnding why) {
        return new AgentRun.Ended(AgentResult.notStarted(adapter.name(), settings.tier(), why));
    }

    private static AgentEnding missing(AgentAdapter adapter, Backend backend) {
        return backend.program()
                .<AgentEnding>map(program ->
                        new AgentEnding.ProgramMissing(
                                "there is no program " + program,
                                "Correct external_agent.backends." + adapter.name() + ".program"))
                .orElseGet(() ->
                        new AgentEnding.ProgramMissing(
                                "'" + adapter.program() + "' is not on the PATH",
                                "Install it: "
                                        + adapter.installation()
                                        + ", or name it: external_agent.backends."
                                        + adapter.name()
                                        + ".program"));
    }

    private static AgentEnding notAllowed(Task task) {
        EgressRule needed = task.hosts().needed().getFirst();
        int port = needed.ports() instanceof EgressRule.Ports.Single(int single) ? single : HTTPS;
        return new AgentEnding.HostNotAllowed(
                needed.text().replaceFirst("^tcp://", "").replaceFirst(":" + port + "$", ""),
                port,
                "Allow it: " + task.setting("allowed_egress") + ": [+" + needed.text() + "]");
    }

    /** Without any rule there is no proxy either, which would say what is denied. */
    private static boolean hasNoWayOut(Task task) {
        AgentRequest request = task.request();
        return !task.hosts().needed().isEmpty()
                && task.hosts().allowed().isEmpty()
                && request.session().isEmpty()
                && request.resume().isEmpty()
                && request.workspace().policy().network()
                        instanceof NetworkAccess.Own(EgressPolicy egress)
                && egress.isNothing();
    }

    private static void requireMemory(Task task) {
        long given = task.request().limits().memory().orElse(task.settings().memory());
        if (given < task.adapter().leastMemory()) {
            throw new InvalidInputException(
                    task.setting("memory")
                            + ": "
                            + task.backend()
                            + " needs at least "
                            + Quantity.written(task.adapter().leastMemory())
                            + ", not "
                            + Quantity.written(given));
        }
    }

    private KeySource keys() {
        return new KeySource(runner, surroundings.environment());
    }

    /**
     * Every backend that there is, with what it would need; programs are asked for their version.
     */
    public List<AgentStatus> list() throws InterruptedException {
        List<AgentStatus> all = new ArrayList<>();
        for (AgentAdapter adapter : adapters.all()) {
            all.add(status(adapter));
        }
        return all;
    }

    private AgentStatus status(AgentAdapter adapter) throws InterruptedException {
        Backend backend = settings.backend(adapter.name());
        AgentAdapter.Service service = adapter.service(backend.model());
        Optional<AgentProgram> program = AgentProgram.find(adapter, backend, caller);
        AgentHosts hosts =
                AgentHosts.of(
                        adapter.name(),
                        service,
                        backend.allowedEgress(),
                        List.of(),
                        backend.baseUrl());
        Optional<String> version =
                program.isEmpty()
                        ? Optional.empty()
                        : new VersionQuestion(runner, surroundings.environment())
                                .ask(program.get().executable(), adapter.versionArguments());
        return new AgentStatus(
                adapter.name(),
                backend.enabled(),
                program.map(AgentProgram::executable),
                adapter.installation(),
                version,
                adapter.testedVersions(),
                keys().hint(backend, service.keyVariables()),
                service.keyVariables(),
                settings.tier(),
                settings.tier() == Tier.SANDBOX
                        ? hosts.allowed().stream().map(Object::toString).toList()
                        : List.of("any"));
    }

    /** Ends what was started to hold limits. */
    @Override
    public void close() {
        keeper.close();
    }
}
