package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.host.Socat;
import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.Repos;
import dev.carrel.core.repo.Scratch;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.StateLayout;
import dev.carrel.core.store.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * All sessions of one workspace folder. Safe for many threads; any number of processes may use the
 * same folder at the same time. Interrupted work of killed processes is finished or undone before
 * it would be in the way.
 */
public final class Sessions implements AutoCloseable {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final HostTools tools;
    private final SessionRemoval removal;
    private final SessionRecords records;
    private final NameLinks names;

    private Sessions(HostTools tools) {
        this.tools = tools;
        this.removal = new SessionRemoval(tools);
        this.records = new SessionRecords(tools.layout());
        this.names = new NameLinks(tools.layout());
    }

    /**
     * Begins to load what the first session of a process needs of Java itself, beside what the
     * caller goes on to do. For programs that run one command and end; nothing has to wait for it.
     */
    public static void prepare() {
        FirstUse.begin();
    }

    /**
     * Opens the folder; nothing is read, probed or started yet.
     *
     * @param events is told what happens, on the thread on which it does; it must be safe for as
     *     many threads as use the sessions
     */
    public static Sessions open(Settings settings, Consumer<SessionEvent> events) {
        return open(settings, events, new LimitKeeper());
    }

    static Sessions open(Settings settings, Consumer<SessionEvent> events, LimitKeeper limits) {
        ProcessRunner runner = new HostProcessRunner();
        return new Sessions(
                new HostTools(
                        runner,
                        settings,
                        new StateLayout(settings.workspaceBase()),
                        events,
                        limits));
    }

    /**
     * Makes a session. When it fails nothing of it is left.
     *
     * @throws CarrelException with the cause and the cure, before anything is written where
     *     possible
     */
    public Session create(SessionRequest request) throws InterruptedException {
        tools.uses().requireOpen();
        tools.layout().create();
        Scratch.tidy();
        request.name().ifPresent(this::requireFreeName);
        tools.bwrap();
        Socat.requireFor(request.policy().network().egress());
        tools.limits().require(request.policy().limits());
        SessionPlan plan = new SessionPlanner(tools).plan(request);
        plan.notices().forEach(notice -> tools.tell(new SessionEvent.Notice(notice)));
        try {
            for (Step step : plan.steps()) {
                tools.tell(new SessionEvent.Progress(step.name()));
                step.run();
            }
        } catch (RuntimeException | InterruptedException | Error e) {
            undo(plan, e);
            throw e;
        }
        tools.tell(new SessionEvent.Created(plan.record().id()));
        warnOfMasks(plan.record());
        return session(plan.record().id());
    }

    private void warnOfMasks(SessionRecord made) {
        if (made.policy().view() instanceof ViewMode.HostReadonly mode) {
            LiveView.hostView(tools, made, mode)
                    .warnings()
                    .forEach(text -> tools.tell(new SessionEvent.Warning(text)));
        }
        List<String> mask = made.policy().mask();
        if (!mask.isEmpty()) {
            List<RepoRecord> repos = records.find(made.id().value()).repos();
            for (String entry : Masks.unmatched(mask, repos)) {
                tools.tell(
                        new SessionEvent.Warning(
                                "sandbox.mask: '"
                                        + entry
                                        + "' hides nothing: no repository has it, or it leads out"));
            }
        }
    }

    private void undo(SessionPlan plan, Throwable cause) {
        try {
            for (Step step : removal.steps(plan.record(), Running.END)) {
                step.run();
            }
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void requireFreeName(String name) {
        if (!isName(name)) {
            throw new InvalidInputException(
                    "'" + name + "' cannot name a session: 1 to 64 letters, digits, '.', '_', '-'");
        }
        names.requireFree(name);
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * The session that is meant: by id, by name, or by the beginning of an id that fits only one.
     *
     * @throws NotFoundException if there is none, with the nearest
     * @throws InvalidInputException if several fit
     */
    public Session find(String reference) throws InterruptedException {
        return session(record(reference).id());
    }

    /** What is found costs the same beside any number of others. */
    private SessionRecord record(String reference) throws InterruptedException {
        tools.uses().requireOpen();
        Optional<SessionRecord> found =
                records.withId(reference)
                        .or(() -> names.find(reference))
                        .or(() -> records.onlyOneOf(reference));
        if (found.isPresent() && !found.get().isInterrupted()) {
            repairIfPossible(found.get());
            return found.get();
        }
        repair();
        return records.find(reference);
    }

    private Session session(SessionId id) {
        return new Session(tools, id);
    }

    /** The ids of all sessions, also of broken ones, without looking into them; sorted. */
    public List<String> ids() {
        return records.directories().stream().map(path -> path.getFileName().toString()).toList();
    }

    /** All sessions, the one last used first. */
    public List<SessionSummary> list() throws InterruptedException {
        Scratch.tidy();
        repair();
        List<SessionSummary> summaries = new ArrayList<>();
        for (Path directory : records.directories()) {
            summary(directory).ifPresent(summaries::add);
        }
        summaries.sort(Comparator.comparing(SessionSummary::lastUsed).reversed());
        return summaries;
    }

    private Optional<SessionSummary> summary(Path directory) throws InterruptedException {
        SessionId id = new SessionId(directory.getFileName().toString());
        try {
            return Optional.of(session(id).summary());
        } catch (NotFoundException e) {
            // Removed by another process while we looked.
            return Optional.empty();
        } catch (CarrelException e) {
            if (!Files.exists(directory)) {
                return Optional.empty();
            }
            tools.tell(
                    new SessionEvent.Notice("session " + id + " cannot be read: " + e.message()));
            return Optional.of(Summaries.broken(id, directory));
        }
    }

    /**
     * Removes a session and frees everything it holds; also one whose record cannot be read, by its
     * whole id.
     *
     * @param running what happens to commands that still run in it
     * @throws ConflictException if commands run and are not to be ended; the session is as it was
     *     then
     * @return its id
     */
    public SessionId remove(String reference, Running running) throws InterruptedException {
        Optional<Path> broken = records.unreadable(reference);
        if (broken.isPresent()) {
            repair();
            SessionId id = new SessionId(reference);
            new BrokenRemoval(tools).run(broken.get());
            return id;
        }
        SessionRecord record = record(reference);
        remove(record, running);
        return record.id();
    }

    private void remove(SessionRecord record, Running running) throws InterruptedException {
        if (record.phase() instanceof SessionRecord.Phase.Preparing(var by)) {
            throw new ConflictException(
                    "session " + record.id() + " is being made by process " + by.pid(),
                    "Wait until it is there, or end that process; the next use of Carrel cleans up"
                            + " then.");
        }
        removal.run(record, running);
    }

    /**
     * Removes sessions and snapshots that nobody has used for longer than they are kept, see {@link
     * dev.carrel.core.policy.Retention}. Never what is in use.
     *
     * @return what was removed
     * @throws ConflictException if another sweep is running
     */
    public SweepReport sweep() throws InterruptedException {
        repair();
        return new Sweep(tools).run();
    }

    /** What a sweep would remove now. Changes nothing. */
    public SweepReport previewSweep() {
        return new Sweep(tools).preview();
    }

    /**
     * Whether a sweep is overdue. Whoever is told so is the one to do it: for the length of the
     * interval nobody else is told. Cheap.
     */
    public boolean claimOverdueSweep() {
        return new Sweep(tools).claimIfDue();
    }

    /** What a removal does about commands that still run. */
    public enum Running {
        /** The removal is refused. */
        REFUSE,
        /** They are ended. */
        END
    }

    /**
     * What creating a session and running a command in it would do, line by line. Nothing is run or
     * written.
     */
    public List<String> explain(SessionRequest request, CommandRequest command)
            throws InterruptedException {
        SessionPlan plan = new SessionPlanner(tools).plan(request);
        List<String> lines = new ArrayList<>(Explanation.of(plan));
        lines.addAll(session(plan.record().id()).explain(plan.record(), command));
        return lines;
    }

    /** The top of the git work tree around a directory. */
    public Optional<Path> repositoryAround(Path directory) {
        return new Repos(tools.runner(), tools.settings().environment()).around(directory);
    }

    /**
     * Finishes what killed processes left: half-made sessions go, half-removed ones go entirely.
     */
    private void repair() throws InterruptedException {
        tools.uses().requireOpen();
        removal.tidy();
        new SnapshotCollection(tools).tidy();
        for (SessionRecord record : records.all()) {
            repairIfPossible(record);
        }
    }

    private void repairIfPossible(SessionRecord record) throws InterruptedException {
        try {
            repair(record);
        } catch (NotFoundException e) {
            // Another process was first.
        } catch (CarrelException e) {
            // One session must not keep the others from being used, or itself from removal.
            tools.tell(
                    new SessionEvent.Notice(
                            "session " + record.id() + " cannot be repaired: " + e.message()));
        }
    }

    private void repair(SessionRecord record) throws InterruptedException {
        if (record.isInterrupted()) {
            for (Step step : removal.steps(record, Running.END)) {
                step.run();
            }
        } else {
            SessionLayout layout = tools.layout().session(record.id().value());
            AtomicFile.tidy(layout.directory());
            new SessionApply(tools, layout, record).recover();
        }
    }

    /**
     * Ends the commands that were started through this object and stops what it keeps running. The
     * sessions stay on disk. What is asked of it or its sessions later fails with {@link
     * IllegalStateException}. Does nothing the second time.
     */
    @Override
    public void close() {
        tools.uses().close();
        tools.limits().close();
    }
}
