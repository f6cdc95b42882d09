package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.host.Caller;
import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import dev.carrel.core.store.StateLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Finds or makes the place where an agent works, and starts it there. */
record Places(
        Sessions sessions,
        AgentSettings settings,
        Settings surroundings,
        Caller caller,
        ProcessRunner runner,
        LimitKeeper keeper) {

    AgentRun start(Task task, Consumer<AgentEvent> events) throws InterruptedException {
        Retain retain = task.request().retain().orElse(settings.retain());
        Workplace place =
                switch (settings.tier()) {
                    case SANDBOX -> session(task);
                    case PROCESS -> checkout(task);
                };
        try {
            return RunningAgent.start(task, place, retain, events);
        } catch (CarrelException | InterruptedException failed) {
            try {
                place.settle(Retain.CHANGED, false);
            } catch (CarrelException e) {
                failed.addSuppressed(e);
            }
            throw failed;
        }
    }

    private Workplace session(Task task) throws InterruptedException {
        Optional<String> existing = task.request().session();
        if (existing.isEmpty() && task.request().resume().isPresent()) {
            existing = Optional.of(sessionOf(task, task.request().resume().get()));
        }
        Session session =
                existing.isPresent()
                        ? sessions.find(existing.get())
                        : sessions.create(workspace(task));
        return new SessionPlace(
                sessions,
                session,
                layout().session(session.id().value()),
                task,
                existing.isEmpty());
    }

    private StateLayout layout() {
        return new StateLayout(surroundings.workspaceBase());
    }

    private String sessionOf(Task task, String conversation) {
        return sessions.ids().stream()
                .filter(id ->
                        new Conversations(layout().session(id).conversations())
                                .last(task.backend(), conversation)
                                .isPresent())
                .findFirst()
                .orElseThrow(() -> unknown(task, conversation));
    }

    private static NotFoundException unknown(Task task, String conversation) {
        return new NotFoundException(
                "no conversation of " + task.backend() + " is called '" + conversation + "'",
                "Its session may have been removed. Begin a new one: leave --resume out.");
    }

    /** With the program in view, and the way to a service of this host. */
    private static SessionRequest workspace(Task task) {
        SessionRequest wanted = task.request().workspace();
        task.program().requireShowable(task.setting("program"));
        SandboxPolicy policy = wanted.policy().showing(task.program().shown());
        if (task.hosts().ownPort().isPresent()
                && policy.network() instanceof NetworkAccess.Own(EgressPolicy egress)) {
            List<Integer> ports = new ArrayList<>(egress.hostPorts());
            ports.add(task.hosts().ownPort().getAsInt());
            policy =
                    policy.with(
                            new NetworkAccess.Own(
                                    new EgressPolicy(
                                            egress.rules(),
                                            egress.hosts(),
                                            egress.upstream(),
                                            ports,
                                            egress.extraCa())));
        }
        return new SessionRequest(
                wanted.repos(),
                wanted.name(),
                policy,
                wanted.uncommitted(),
                wanted.include(),
                wanted.mounts());
    }

    private Workplace checkout(Task task) throws InterruptedException {
        if (task.request().session().isPresent()) {
            throw new InvalidInputException(
                    "a plain process (external_agent.default_sandbox_tier: 0) has no session",
                    "Leave --session out, or set external_agent.default_sandbox_tier: 1");
        }
        if (caller.isRoot() && task.adapter().refusesRoot()) {
            throw new ConflictException(
                    task.backend() + " refuses to run as root",
                    "Run it as an ordinary user, or set external_agent.default_sandbox_tier: 1");
        }
        HostPlace.HostCheckout checkout = checkoutOf(task);
        requireNoCode(task, checkout);
        layout().create();
        Path directory =
                task.request()
                        .resume()
                        .map(id -> homeOf(task, id))
                        .orElseGet(() ->
                                layout().createAgent(UUID.randomUUID().toString().substring(0, 8)));
        return new HostPlace(
                runner,
                keeper,
                surroundings.environment(),
                checkout,
                layout().agents(),
                directory,
                task);
    }

    /** Some run what a repository brings, whatever they are told; only a session holds that. */
    private static void requireNoCode(Task task, HostPlace.HostCheckout checkout) {
        if (task.settings().repositoryConfiguration()) {
            return;
        }
        for (String place : task.adapter().codeInRepository()) {
            if (Files.exists(checkout.root().resolve(place), LinkOption.NOFOLLOW_LINKS)) {
                throw new ConflictException(
                        task.backend()
                                + " would run what the repository has in "
                                + place
                                + ", and as a plain process nothing holds that",
                        "Set external_agent.default_sandbox_tier: 1, or, if you trust it, "
                                + task.setting("repository_config")
                                + ": true");
            }
        }
    }

    private HostPlace.HostCheckout checkoutOf(Task task) {
        List<SessionRequest.RepoRequest> repos = task.request().workspace().repos();
        if (repos.size() != 1) {
            throw new InvalidInputException(
                    "a plain process (external_agent.default_sandbox_tier: 0) works in one"
                            + " repository, not in "
                            + repos.size(),
                    "Name one: --repo DIR");
        }
        Path named =
                surroundings.currentDirectory().resolve(repos.getFirst().directory()).normalize();
        if (!Files.isDirectory(named)) {
            throw new NotFoundException(
                    "there is no directory " + named, "Name one that is there: --repo DIR");
        }
        Path root = sessions.repositoryAround(named).orElse(named);
        Path start =
                task.request()
                        .directory()
                        .map(text -> root.resolve(text).normalize())
                        .filter(path -> path.startsWith(root) && Files.isDirectory(path))
                        .orElse(named);
        String name = repos.getFirst().name().orElseGet(() -> String.valueOf(root.getFileName()));
        return new HostPlace.HostCheckout(name, root, start);
    }

    private Path homeOf(Task task, String conversation) {
        try (var homes = Files.newDirectoryStream(layout().agents())) {
            for (Path home : homes) {
                if (HostPlace.conversations(home).last(task.backend(), conversation).isPresent()) {
                    return home;
                }
            }
        } catch (java.io.IOException none) {
            throw unknown(task, conversation);
        }
        throw unknown(task, conversation);
    }
}
