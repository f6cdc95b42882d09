package dev.carrel.core.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.adapter.AgentEvent.Change;
import dev.carrel.core.adapter.Invocation;
import dev.carrel.core.adapter.Launch;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.files.ViewPath;
import dev.carrel.core.overlay.ChangeKind;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.session.CommandNetwork;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionEgress;
import dev.carrel.core.session.SessionId;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A session. What the agent does there reaches the host only by {@code apply}. */
final class SessionPlace implements Workplace {

    private final Sessions sessions;
    private final Session session;
    private final SessionLayout layout;
    private final Task task;
    private final boolean own;
    private final SessionEgress egress;
    private final SessionEgress.Following events;
    private List<RepoChanges> seen = List.of();

    /**
     * A session for one task.
     *
     * @param own whether it was made for this task
     */
    SessionPlace(Sessions sessions, Session session, SessionLayout layout, Task task, boolean own) {
        this.sessions = sessions;
        this.session = session;
        this.layout = layout;
        this.task = task;
        this.own = own;
        this.egress = session.egress();
        this.events = egress.follow();
        while (!events.next().isEmpty()) {
            // What happened before is not this agent's.
        }
    }

    @Override
    public Tier tier() {
        return Tier.SANDBOX;
    }

    @Override
    public Optional<SessionId> session() {
        return Optional.of(session.id());
    }

    @Override
    public Invocation invocation() {
        return task.invocation(new Conversations(layout.conversations()), true);
    }

    @Override
    public List<String> warnings() {
        return egress.sharesHost()
                ? List.of(
                        "the session shares the whole network of the host: the hosts that "
                                + task.backend()
                                + " may reach are not limited")
                : List.of();
    }

    @Override
    public AgentProcess start(Launch launch) throws InterruptedException {
        if (launch.homeFiles().isEmpty()) {
            return startCommand(launch);
        }
        requireLastingHome();
        // Or it would stop and start again between the files and the agent.
        try (KeptRunning _ = session.keepRunning()) {
            writeHome(launch);
            return startCommand(launch);
        }
    }

    private AgentProcess startCommand(Launch launch) throws InterruptedException {
        CommandRequest command =
                new CommandRequest(
                                task.words(launch),
                                task.variables(launch.environment()),
                                task.request().directory(),
                                new CommandRequest.Streams.Piped())
                        .with(task.limits(session.policy().limits()))
                        .with(network());
        return new AgentProcess.InSession(session.start(command));
    }

    private CommandNetwork network() {
        return egress.sharesHost()
                ? CommandNetwork.AS_SESSION
                : new CommandNetwork(task.hosts().allowed(), List.of());
    }

    private void requireLastingHome() {
        if (!session.policy().persistentHome()) {
            throw new ConflictException(
                    task.backend()
                            + " needs files in its HOME, and HOME is fresh for each command of"
                            + " session "
                            + session.id(),
                    "Leave sandbox.persistent_home at true.");
        }
    }

    private void writeHome(Launch launch) throws InterruptedException {
        SandboxPath home = session.policy().view().home();
        for (var file : launch.homeFiles().entrySet()) {
            session.files()
                    .write(
                            ViewPath.of(home.resolve(file.getKey()).toString()),
                            file.getValue().getBytes(UTF_8));
        }
    }

    @Override
    public List<EgressEvent.Denied> denied() {
        List<EgressEvent.Denied> denied = new ArrayList<>();
        for (List<EgressEvent> some = events.next(); !some.isEmpty(); some = events.next()) {
            for (EgressEvent event : some) {
                if (event instanceof EgressEvent.Denied each) {
                    denied.add(each);
                }
            }
        }
        return denied;
    }

    @Override
    public List<ChangedFile> changes() throws InterruptedException {
        List<ChangedFile> files = new ArrayList<>();
        seen = session.changes(List.of(), false);
        for (RepoChanges repo : seen) {
            repo.changeSet()
                    .changes()
                    .forEach(change ->
                            files.add(
                                    new ChangedFile(
                                            repo.name(), change.path(), kind(change.kind()))));
        }
        return files;
    }

    private static Change kind(ChangeKind kind) {
        return switch (kind) {
            case ADDED -> Change.ADDED;
            case DELETED -> Change.DELETED;
            case MODIFIED, MODE_CHANGED, TYPE_CHANGED -> Change.MODIFIED;
        };
    }

    @Override
    public List<String> blotOut(Leaks leaks, List<ChangedFile> changes)
            throws InterruptedException {
        List<String> told = new ArrayList<>();
        for (Path directory : List.of(layout.home(), layout.tmp())) {
            told.addAll(leaks.blotOut(directory).unseen());
        }
        // A tool may have asked for a host whose name holds the key.
        leaks.overwriteIn(layout.egressLog());
        for (RepoChanges repo : seen) {
            Leaks.Found found = leaks.in(repo.stack().upper());
            told.addAll(found.unseen());
            for (TreePath path : found.files()) {
                if (!wasThere(leaks, repo, path)) {
                    told.add(
                            "the agent wrote its key into "
                                    + repo.name()
                                    + "/"
                                    + path
                                    + ", "
                                    + blotOutInside(leaks, repo.name(), path));
                }
            }
        }
        return told;
    }

    /** What the user has there stays: stars in its place would be applied. */
    private static boolean wasThere(Leaks leaks, RepoChanges repo, TreePath path) {
        return repo.stack().lowers().stream()
                .anyMatch(lower -> !leaks.among(List.of(path), lower).isEmpty());
    }

    /** Through the view: nobody else may write to a layer that is mounted. */
    private String blotOutInside(Leaks leaks, String repo, TreePath path)
            throws InterruptedException {
        ViewPath place = ViewPath.of(SandboxPath.WORKSPACE.resolve(repo).toString()).resolve(path);
        try {
            session.files().write(place, leaks.blotted(session.files().read(place).bytes()));
            return "where there are stars in its place now";
        } catch (CarrelException failed) {
            return "where it still is: " + failed.message();
        }
    }

    @Override
    public void remember(Conversations.Turn turn) {
        new Conversations(layout.conversations()).add(turn);
    }

    @Override
    public boolean settle(Retain retain, boolean worthKeeping) throws InterruptedException {
        boolean keep =
                !own
                        || switch (retain) {
                            case ALWAYS -> true;
                            case NEVER -> false;
                            case CHANGED -> worthKeeping;
                        };
        if (keep) {
            return true;
        }
        try {
            sessions.remove(
                    session.id().value(),
                    retain == Retain.NEVER ? Sessions.Running.END : Sessions.Running.REFUSE);
            return false;
        } catch (ConflictException inUse) {
            return true; // another command has joined it meanwhile
        }
    }
}
