package dev.carrel.core.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.adapter.Invocation;
import dev.carrel.core.adapter.Launch;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.session.SessionId;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The host's checkout: a plain process that can do whatever its user can. */
final class HostPlace implements Workplace {

    private static final String MARK = "CARREL_AGENT_RUN";

    /** Variables of the caller that say how to reach the network, or how people are served. */
    private static final List<String> HANDED_ON =
            List.of(
                    "PATH",
                    "USER",
                    "LOGNAME",
                    "LANG",
                    "LANGUAGE",
                    "TZ",
                    "TMPDIR",
                    "SHELL",
                    "http_proxy",
                    "https_proxy",
                    "no_proxy",
                    "all_proxy",
                    "HTTP_PROXY",
                    "HTTPS_PROXY",
                    "NO_PROXY",
                    "ALL_PROXY",
                    "SSL_CERT_FILE",
                    "SSL_CERT_DIR",
                    "NODE_EXTRA_CA_CERTS");

    private final ProcessRunner runner;
    private final LimitKeeper keeper;
    private final Map<String, String> caller;
    private final HostCheckout checkout;
    private final Path homes;
    private final Path directory;
    private final Task task;
    private final HostTree before;

    /**
     * The host's files of one repository.
     *
     * @param name how results call it
     * @param root its top
     * @param start where the agent starts
     */
    record HostCheckout(String name, Path root, Path start) {}

    /**
     * A place for one task.
     *
     * @param caller the caller's variables
     * @param homes holds such directories
     * @param directory one of them, which holds the HOME, for the caller alone
     */
    HostPlace(
            ProcessRunner runner,
            LimitKeeper keeper,
            Map<String, String> caller,
            HostCheckout checkout,
            Path homes,
            Path directory,
            Task task) {
        this.runner = runner;
        this.keeper = keeper;
        this.caller = caller;
        this.checkout = checkout;
        this.homes = homes;
        this.directory = directory;
        this.task = task;
        this.before = HostTree.of(checkout.root());
    }

    @Override
    public Tier tier() {
        return Tier.PROCESS;
    }

    @Override
    public Optional<SessionId> session() {
        return Optional.empty();
    }

    @Override
    public Invocation invocation() {
        return task.invocation(conversations(), task.settings().repositoryConfiguration());
    }

    private Conversations conversations() {
        return conversations(directory);
    }

    static Conversations conversations(Path directory) {
        return new Conversations(directory.resolve("conversations.jsonl"));
    }

    @Override
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        warnings.add(
                task.backend()
                        + " runs as a plain process (external_agent.default_sandbox_tier: 0): it"
                        + " can read and write what you can, and reach any host");
        if (task.settings().allowedEgress().isPresent() || !task.request().egress().isEmpty()) {
            warnings.add(
                    task.setting("allowed_egress")
                            + " does not hold there; it does with"
                            + " external_agent.default_sandbox_tier: 1");
        }
        return warnings;
    }

    private Path home() {
        return directory.resolve("home");
    }

    @Override
    public AgentProcess start(Launch launch) throws InterruptedException {
        writeHome(launch);
        ResourceLimits limits = task.limits(ResourceLimits.NONE);
        return HostAgent.start(
                runner,
                Command.of(task.words(launch))
                        .withEnvironment(environment(launch))
                        .in(checkout.start()),
                limits,
                keeper.enforce(LimitKeeper.groupName(directory), ResourceLimits.NONE, limits),
                new HostProcesses.Mark(MARK, directory.getFileName() + "-" + System.nanoTime()));
    }

    private Map<String, String> environment(Launch launch) {
        Map<String, String> environment = new TreeMap<>();
        caller.forEach((name, value) -> {
            if (HANDED_ON.contains(name) || name.startsWith("LC_")) {
                environment.put(name, value);
            }
        });
        environment.put("HOME", home().toString());
        environment.putAll(task.variables(launch.environment()));
        return environment;
    }

    private void writeHome(Launch launch) {
        launch.homeFiles()
                .forEach((name, text) -> {
                    Path file = home().resolve(name);
                    try {
                        Files.createDirectories(file.getParent());
                    } catch (IOException e) {
                        throw new HostOperationException(
                                "cannot create " + file.getParent() + ": " + e, null, e);
                    }
                    AtomicFile.write(file, text.getBytes(UTF_8));
                });
    }

    @Override
    public List<EgressEvent.Denied> denied() {
        return List.of();
    }

    @Override
    public List<ChangedFile> changes() {
        return before.changesTo(HostTree.of(checkout.root()), checkout.name());
    }

    /** What it wrote into the checkout is the user's: that is only told. */
    @Override
    public List<String> blotOut(Leaks leaks, List<ChangedFile> changes) {
        List<String> told = new ArrayList<>(leaks.blotOut(home()).unseen());
        leaks.among(changes.stream().map(ChangedFile::path).toList(), checkout.root())
                .forEach(path ->
                        told.add("the agent wrote its key into " + checkout.root() + "/" + path));
        return told;
    }

    @Override
    public void remember(Conversations.Turn turn) {
        conversations().add(turn);
    }

    @Override
    public boolean settle(Retain retain, boolean worthKeeping) {
        boolean keep =
                switch (retain) {
                    case ALWAYS -> true;
                    case NEVER -> false;
                    case CHANGED -> conversations().turns().size() > 0;
                };
        if (!keep) {
            Trees.delete(homes, directory.getFileName().toString());
        }
        return keep;
    }
}
