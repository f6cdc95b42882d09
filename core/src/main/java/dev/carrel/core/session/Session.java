package dev.carrel.core.session;

import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.files.ViewFiles;
import dev.carrel.core.files.ViewPath;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.store.SessionLayout;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One session. Safe for many threads; other processes may use it at the same time. Each call looks
 * at the session as it is then; one that was removed in the meantime answers with {@link
 * NotFoundException}.
 */
public final class Session {

    private final HostTools tools;
    private final SessionId id;
    private final SessionLayout layout;
    private final Remembered remembered;

    Session(HostTools tools, SessionId id) {
        this.tools = tools;
        this.id = id;
        this.layout = tools.layout().session(id.value());
        this.remembered = new Remembered(tools, layout);
    }

    /** Its id. */
    public SessionId id() {
        return id;
    }

    /** The name that people gave it. */
    public Optional<String> name() {
        return record().name();
    }

    /** What it sees. */
    public ViewMode mode() {
        return record().policy().view();
    }

    /** What its sandbox is like. */
    public SandboxPolicy policy() {
        return record().policy();
    }

    /** The names of its repositories, in order. */
    public List<String> repoNames() {
        return record().repos().stream().map(RepoRecord::name).toList();
    }

    /**
     * Runs a command to its end. An interrupt ends the command, and everything it started, before
     * this returns.
     *
     * @return how it ended; a non-zero exit is a result
     * @throws dev.carrel.core.failure.CarrelException if it could not be started; nothing of it
     *     runs then
     */
    public CommandResult run(CommandRequest request) throws InterruptedException {
        return use(record -> commands(record).run(request));
    }

    /**
     * Starts a command.
     *
     * @throws dev.carrel.core.failure.CarrelException if it could not be started; nothing of it
     *     runs then
     */
    public SessionCommand start(CommandRequest request) throws InterruptedException {
        return use(record -> commands(record).begin(request));
    }

    /**
     * Keeps the session running between commands, which then start at once. Close what this
     * returns.
     */
    public KeptRunning keepRunning() throws InterruptedException {
        KeptRunning kept =
                new KeptRunning(
                        () -> use(record -> commands(record).join()),
                        share -> {
                            tools.uses().remove(id, share);
                            tools.networks().endIdle(id);
                        });
        tools.uses().add(id, kept);
        return kept;
    }

    /** Its files as its commands see them. */
    public ViewFiles files() {
        return new ViewFiles((script, variables, input) ->
                use(record -> commands(record).runScript(script, variables, input)));
    }

    /**
     * The place that a path means: a host path inside one of its repositories, a path under {@code
     * /workspace} or elsewhere in the view, or one relative to the first repository ({@code NAME/…}
     * where there are several).
     *
     * @throws dev.carrel.core.failure.CarrelException if it leads out of the repository, or could
     *     be in several
     */
    public ViewPath viewPath(String path) {
        return new PathTranslation(record().repos(), tools.settings().currentDirectory())
                .toView(path);
    }

    /**
     * The host's file that a place of the view stands for; empty for what is not in a repository.
     * It need not exist, and what the session changed is not in it.
     */
    public Optional<Path> hostPath(ViewPath path) {
        return new PathTranslation(record().repos(), tools.settings().currentDirectory())
                .toHost(path);
    }

    /** What running a command would do, with the exact command lines. Nothing is run. */
    public List<String> explain(CommandRequest request) throws InterruptedException {
        return explain(record(), request);
    }

    List<String> explain(SessionRecord record, CommandRequest request) throws InterruptedException {
        return commands(record).explain(request);
    }

    /** The session as listings show it. */
    public SessionSummary summary() throws InterruptedException {
        return look(record ->
                new SessionChanges(tools, layout, record)
                        .summary(SessionRuntime.runningCommands(SessionFiles.runtime(layout))));
    }

    /**
     * What differs from the base, by repository.
     *
     * @param paths what to look at; none means everything
     */
    public List<RepoChanges> changes(List<String> paths, boolean includeIgnored)
            throws InterruptedException {
        return look(
                record -> new SessionChanges(tools, layout, record).changes(paths, includeIgnored));
    }

    /**
     * Writes what differs from the base.
     *
     * @throws ConflictException if it is discarded meanwhile; a part may have been written then
     */
    public void printDiff(
            List<String> paths,
            boolean includeIgnored,
            DiffFormat format,
            boolean colour,
            OutputStream out)
            throws InterruptedException {
        tell(record -> {
            new SessionChanges(tools, layout, record)
                    .print(paths, includeIgnored, format, colour, out);
            return true;
        });
    }

    /**
     * Writes a patch that {@code git apply} takes.
     *
     * @param to not closed
     * @return what a patch cannot carry, for people: empty directories, some permission bits
     * @throws dev.carrel.core.failure.HostOperationException if it cannot carry a whole file
     * @throws ConflictException if it is discarded meanwhile; a part may have been written then
     */
    public List<String> writePatch(List<String> paths, boolean includeIgnored, OutputStream to)
            throws InterruptedException {
        return tell(record ->
                new SessionChanges(tools, layout, record).patch(paths, includeIgnored, to));
    }

    /** What {@link #apply} would do. Writes nothing but scratch files. */
    public ApplyPlan planApply(ApplyChoice choice) throws InterruptedException {
        return look(record -> new SessionApply(tools, layout, record).plan(choice));
    }

    /** The same. */
    public ApplyPlan planApply(List<String> paths, boolean includeIgnored)
            throws InterruptedException {
        return planApply(new ApplyChoice(paths, includeIgnored, false));
    }

    /**
     * Brings the changes into the host's checkouts: all, or none. What the host changed meanwhile
     * is merged; where that cannot be, the versions of each file are written to {@link
     * ApplyPlan#conflictFiles}.
     *
     * @param announce told what will be done, before anything of the host is written, also where it
     *     will be refused
     * @return what was done
     * @throws ConflictException if {@link ApplyPlan#isRefused}; nothing of the host was written
     */
    public ApplyPlan apply(ApplyChoice choice, Consumer<ApplyPlan> announce)
            throws InterruptedException {
        ApplyPlan done =
                use(record -> new SessionApply(tools, layout, record).apply(choice, announce));
        tools.tell(new SessionEvent.Applied(id));
        return done;
    }

    /** The same, with nobody told. */
    public ApplyPlan apply(List<String> paths, boolean includeIgnored) throws InterruptedException {
        return apply(new ApplyChoice(paths, includeIgnored, false), _ -> {});
    }

    /** What {@link #undo} would do. Writes nothing. */
    public ApplyPlan planUndo(boolean partial) throws InterruptedException {
        return look(record -> new SessionApply(tools, layout, record).planUndo(partial));
    }

    /**
     * Takes the last apply back. The session's changes are as before it, and can be applied again.
     *
     * @param partial whether what is still as applied is taken back although something else is not
     * @param announce as for {@link #apply}
     * @return what was done; no operations where there is nothing to undo
     * @throws ConflictException if a file is not as it was applied any more, unless {@code
     *     partial}; nothing of the host was written
     */
    public ApplyPlan undo(boolean partial, Consumer<ApplyPlan> announce)
            throws InterruptedException {
        ApplyPlan done =
                use(record -> new SessionApply(tools, layout, record).undo(partial, announce));
        tools.tell(new SessionEvent.Undone(id));
        return done;
    }

    /**
     * Throws changes away. Without paths everything goes, commits inside included; HOME and {@code
     * /tmp} stay.
     *
     * @return the paths that were restored, for people
     * @throws dev.carrel.core.failure.ConflictException if commands run in the session; nothing was
     *     changed
     */
    public List<String> discard(List<String> paths) throws InterruptedException {
        List<String> restored =
                tools.uses()
                        .whileReleased(
                                id,
                                () ->
                                        use(record ->
                                                new SessionDiscard(
                                                                tools,
                                                                layout,
                                                                record,
                                                                runtime(record))
                                                        .discard(paths)));
        tools.tell(new SessionEvent.Discarded(id));
        return restored;
    }

    /** What it may reach in the network, and what it did reach. */
    public SessionEgress egress() {
        return new SessionEgress(layout, record());
    }

    /** Its commands, oldest first. */
    public List<LogEntry> log() {
        record();
        return new SessionLog(layout.commandLog()).read();
    }

    private SessionRuntime runtime(SessionRecord record) throws InterruptedException {
        return remembered.runtime(record);
    }

    private SessionCommands commands(SessionRecord record) {
        return new SessionCommands(tools, layout, record, remembered);
    }

    /** A use of the session as it is now. */
    private interface Use<T> {
        T of(SessionRecord record) throws InterruptedException;
    }

    /** What fails because the session is being taken away says so. */
    private <T> T use(Use<T> use) throws InterruptedException {
        try {
            return use.of(record());
        } catch (CarrelException e) {
            throw record().isReady() ? e : goingAway(e);
        }
    }

    /**
     * Reads the layers without a lock. A discard may exchange and delete them meanwhile: what was
     * read then means nothing, and is read again.
     */
    private <T> T look(Use<T> use) throws InterruptedException {
        while (true) {
            Optional<T> seen = attempt(use);
            if (seen.isPresent()) {
                return seen.get();
            }
        }
    }

    /** The same where something is written meanwhile: that cannot be taken back. */
    private <T> T tell(Use<T> use) throws InterruptedException {
        return attempt(use)
                .orElseThrow(() ->
                        new ConflictException(
                                "the changes of session "
                                        + id
                                        + " were discarded while they were written out",
                                "Ask for them again."));
    }

    /** Empty if the layers were exchanged meanwhile. */
    private <T> Optional<T> attempt(Use<T> use) throws InterruptedException {
        SessionRecord before = record();
        try {
            T seen = use.of(before);
            return before.hasLayersOf(record()) ? Optional.of(seen) : Optional.empty();
        } catch (CarrelException e) {
            SessionRecord now = record();
            if (!now.isReady()) {
                throw goingAway(e);
            }
            if (before.hasLayersOf(now)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private ConflictException goingAway(CarrelException cause) {
        return new ConflictException(
                "session " + id + " is being made or removed",
                "List them: carrel session list",
                cause);
    }

    private NotFoundException removed(CarrelException cause) {
        return new NotFoundException(
                "session " + id + " was removed", "List them: carrel session list", cause);
    }

    private SessionRecord record() {
        tools.uses().requireOpen();
        SessionRecord record;
        try {
            record = remembered.record();
        } catch (CarrelException e) {
            throw layout.exists() ? e : removed(e);
        }
        if (!record.id().equals(id)) {
            throw new BrokenStoreException(
                    layout.record() + " is of another session: " + record.id());
        }
        return record;
    }
}
