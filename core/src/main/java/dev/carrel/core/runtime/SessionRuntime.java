package dev.carrel.core.runtime;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.Step;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces of one session, found or made on demand. Safe for many threads and many processes
 * at once: what they must agree on is decided under the session's lock, and the kernel is asked
 * before an upper layer is mounted.
 */
public final class SessionRuntime {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);
    private static final Duration FREE_WITHIN = Duration.ofSeconds(8);
    private static final int IDLE_WITHIN_MILLIS = 2_000;
    private static final int MOST_TAKEOVERS = 20;
    private static final int MOST_LOOKS = 500;
    private static final int MOST_STAGINGS = 5;

    private final Path bwrap;
    private final String token;
    private final RuntimeFiles files;
    private final Users users;
    private final MountProbe probe;
    private final PauseStart starter;
    private final Members members;
    private volatile @Nullable Printed latest;

    /** A runtime on existing directories; nothing is started. */
    public SessionRuntime(
            ProcessRunner runner, Path bwrap, Identity identity, RuntimeFiles files, String token) {
        this.bwrap = bwrap;
        this.token = token;
        this.files = files;
        this.users = new Users(files.commands());
        this.probe = new MountProbe(runner, bwrap, identity, files);
        this.starter = new PauseStart(runner, bwrap, identity, files, token);
        this.members = new Members(token);
    }

    /** How many commands run in the session now. */
    public int runningCommands() {
        return users.running();
    }

    /** The same without a runtime, where there may be no bubblewrap. */
    public static int runningCommands(RuntimeFiles files) {
        return new Users(files.commands()).running();
    }

    /** {@code 1 command still runs}, {@code 2 commands still run}. */
    public static String stillRun(int commands) {
        return commands + (commands == 1 ? " command still runs" : " commands still run");
    }

    /**
     * A directory for one command, which also says that this process uses the session; see {@link
     * #unregister}.
     */
    Path register() {
        return users.register();
    }

    void unregister(Path mine) {
        users.unregister(mine);
    }

    Members members() {
        return members;
    }

    Path bwrap() {
        return bwrap;
    }

    String token() {
        return token;
    }

    /** The command that would stage the view, for people. */
    public Command pauseCommand(View view) {
        return starter.firstCommand("START", view.ownNetwork());
    }

    /** The options that would stage the view, for people. */
    public List<String> pauseOptions(View view) {
        return view.options(bwrap, token).words();
    }

    /**
     * Takes a share in the running session, and starts it where it does not run.
     *
     * @param view what it shows, asked for again under the lock
     * @throws ConflictException if commands still run under another view, or a layer is in use by
     *     somebody else
     * @throws dev.carrel.core.failure.UnsupportedHostException if the machine cannot stage the
     *     view; nothing runs then
     */
    public Joined join(ViewSource view) throws InterruptedException {
        while (true) {
            Optional<Joined> joined = tryJoin(view);
            if (joined.isPresent()) {
                return joined.get();
            }
            // With the FIFO closed, a pause of another view ends as soon as nobody needs it.
            awaitEndOfOtherView();
        }
    }

    /** Empty if the session runs with another view. */
    private Optional<Joined> tryJoin(ViewSource view) throws InterruptedException {
        String wanted = fingerprint(view.get());
        // The order matters: a pause that finds the FIFO open after it renamed its record away
        // stays.
        FileChannel fifo = Joined.openFifo(files.fifo());
        Optional<PauseRecord> pause = Optional.empty();
        try {
            pause = alive(files.pauseRecord()).filter(running -> running.view().equals(wanted));
            if (pause.isEmpty()) {
                pause = joinUnderLock(view);
            }
            return pause.map(running -> new Joined(fifo, running));
        } finally {
            if (pause.isEmpty()) {
                closeQuietly(fifo);
            }
        }
    }

    /** The pause of this view, perhaps a new one; empty while one of another view lives. */
    private Optional<PauseRecord> joinUnderLock(ViewSource source) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(files.lock(), "start", LOCK_WITHIN)) {
            if (!Files.exists(files.fifo())) {
                throw new NotFoundException("the session was removed in the meantime");
            }
            // Only now: a discard that held the lock may have given the session other layers.
            View view = source.get();
            String wanted = fingerprint(view);
            Optional<PauseRecord> pause = awaitPause();
            if (pause.isEmpty()) {
                return Optional.of(recover(source, view, wanted));
            }
            return pause.filter(running -> running.view().equals(wanted));
        }
    }

    /** The pause that lives; one that is ending is waited for. */
    private Optional<PauseRecord> awaitPause() throws InterruptedException {
        while (true) {
            Optional<PauseRecord> pause = alive(files.pauseRecord());
            if (pause.isPresent()) {
                return pause;
            }
            if (alive(files.endingRecord()).isEmpty()) {
                // It may have come back between the two looks, and cannot end again while the FIFO
                // is open here.
                return alive(files.pauseRecord());
            }
            Thread.sleep(1);
        }
    }

    /** A view with its fingerprint. */
    private record Printed(View view, String fingerprint) {}

    /** Worked out again only for a view that differs from the last one. */
    private String fingerprint(View view) {
        Printed known = latest;
        if (known == null || !known.view().equals(view)) {
            known = new Printed(view, View.fingerprint(view.options(bwrap, token)));
            latest = known;
        }
        return known.fingerprint();
    }

    private void awaitEndOfOtherView() throws InterruptedException {
        for (int waited = 0; anyPause(); waited++) {
            // One of them is the one that wants to join.
            if (waited >= IDLE_WITHIN_MILLIS || runningCommands() > 1) {
                throw otherView();
            }
            Thread.sleep(1);
        }
    }

    private ConflictException otherView() {
        return new ConflictException(
                "the session already runs with other mounts or another policy",
                "Wait until its commands have ended, then try again.");
    }

    /**
     * No pause lives. What is left of an earlier one is adopted or ended before anything is
     * mounted.
     */
    private PauseRecord recover(ViewSource source, View view, String wanted)
            throws InterruptedException {
        boolean done = false;
        try {
            PauseRecord pause = start(source, view, wanted);
            done = true;
            return pause;
        } finally {
            if (!done) {
                endUnfinished();
            }
        }
    }

    private PauseRecord start(ViewSource source, View view, String wanted)
            throws InterruptedException {
        Starting starting = new Starting(wanted, view.ownNetwork());
        run(preparation(view, starting));
        for (int attempt = 0; starting.survivor().isPresent(); attempt++) {
            requireSameView(wanted);
            if (takeOver(starting, attempt)) {
                return starting.pause();
            }
            starting.survivor(settle(view.works()));
        }
        stage(source, view, starting);
        return starting.pause();
    }

    /** What was looked for on the host may be gone before it is mounted. */
    private void stage(ViewSource source, View view, Starting starting)
            throws InterruptedException {
        View staged = source.staged(view);
        for (int attempt = 0; ; attempt++) {
            try {
                run(starter.first(staged, starting));
                return;
            } catch (UnsupportedHostException e) {
                View again = source.staged(view);
                if (attempt >= MOST_STAGINGS || again.equals(staged)) {
                    throw e;
                }
                settle(view.works());
                staged = again;
            }
        }
    }

    /** The effects of a start, in order, where no command runs. The caller holds the lock. */
    List<Step> startSteps(View view) {
        Starting starting = new Starting(fingerprint(view), view.ownNetwork());
        List<Step> steps = new ArrayList<>(preparation(view, starting));
        steps.addAll(starter.first(view, starting));
        return steps;
    }

    private List<Step> preparation(View view, Starting starting) {
        return List.of(
                new Step("forget killed users", users::tidy),
                new Step(
                        "make earlier starts fail",
                        () -> starting.earlier(starter.invalidateEarlier(starting.number()))),
                new Step(
                        "end what killed users left",
                        () -> {
                            if (starting.mayFollowAnother()) {
                                starting.survivor(settle(view.works()));
                            }
                        }));
    }

    private static void run(List<Step> steps) throws InterruptedException {
        for (Step step : steps) {
            step.run();
        }
    }

    private void requireSameView(String wanted) {
        Optional<PauseRecord> last = PauseRecord.read(files.lastPause());
        if (last.isPresent() && !last.get().view().equals(wanted)) {
            throw otherView();
        }
    }

    /** False where the command that it went through has just ended; there is another way then. */
    private boolean takeOver(Starting starting, int attempt) throws InterruptedException {
        Member survivor = starting.survivor().orElseThrow();
        try {
            run(starter.replacement(survivor, starting));
            return true;
        } catch (UnsupportedHostException e) {
            if (attempt >= MOST_TAKEOVERS || survivor.process().isAlive()) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Ends what nobody answers for until the layers are mounted nowhere; or answers with a command
     * of a living user, if there is one.
     */
    private Optional<Member> settle(List<Path> works) throws InterruptedException {
        Optional<Namespaces> session =
                PauseRecord.read(files.lastPause()).map(PauseRecord::namespaces);
        long deadline = System.nanoTime() + FREE_WITHIN.toNanos();
        for (long wait = 5; ; wait = Math.min(50, wait * 2)) {
            Optional<Member> survivor = endOrphans(session);
            if (survivor.isPresent()) {
                return survivor;
            }
            Optional<Path> mounted = firstMounted(works);
            if (mounted.isEmpty()) {
                return Optional.empty();
            }
            if (System.nanoTime() > deadline) {
                throw stillMounted(mounted.get());
            }
            Thread.sleep(wait);
        }
    }

    private Optional<Path> firstMounted(List<Path> works) throws InterruptedException {
        for (Path work : works) {
            if (!probe.isFree(work)) {
                return Optional.of(work);
            }
        }
        return Optional.empty();
    }

    /**
     * Ends what nobody answers for; answers with a supervisor of a living user, if there is one.
     */
    private Optional<Member> endOrphans(Optional<Namespaces> session) throws InterruptedException {
        // A process that starts another while it is looked for may escape one look, not two.
        for (int attempt = 0, clean = 0; ; attempt++) {
            List<Member> all = members.all();
            List<Member> orphans = Members.orphans(all, users.living());
            clean = orphans.isEmpty() ? clean + 1 : 0;
            if (clean >= 2 || attempt > MOST_LOOKS) {
                return all.stream()
                        .filter(member -> Optional.of(member.namespaces()).equals(session))
                        .filter(member -> !orphans.contains(member))
                        .findFirst();
            }
            orphans.forEach(Member::kill);
            Thread.sleep(clean > 0 ? 0 : 2);
        }
    }

    /** Ends what a killed supervisor left of its command, while the session goes on. */
    void endUnsupervised() throws InterruptedException {
        for (int clean = 0; clean < 2; ) {
            List<Member> left = Members.unsupervised(members.all(), users.living());
            clean = left.isEmpty() ? clean + 1 : 0;
            left.forEach(Member::kill);
            Thread.sleep(1);
        }
    }

    /** After a failure or an interrupt in the middle of a start: nothing of it may go on. */
    private void endUnfinished() {
        boolean interrupted = Thread.interrupted();
        boolean done = false;
        while (!done) {
            try {
                endOrphans(Optional.empty());
                done = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private ConflictException stillMounted(Path work) {
        List<Long> holders = members.all().stream().map(Member::pid).toList();
        return new ConflictException(
                "the session's files at "
                        + work.getParent()
                        + " are still mounted"
                        + (holders.isEmpty() ? "" : " by the processes " + holders),
                "End those processes, then try again.");
    }

    /**
     * Runs something while no process of the session exists and none of its layers is mounted, so
     * that the host may write them. New commands wait meanwhile.
     *
     * @throws ConflictException if commands are running
     */
    public void whileStopped(List<Path> works, String purpose, Action action)
            throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(files.lock(), purpose, LOCK_WITHIN)) {
            awaitIdle();
            starter.invalidateAll();
            if (settle(works).isPresent()) {
                throw stillRunning();
            }
            action.run();
        }
    }

    private void awaitIdle() throws InterruptedException {
        for (int waited = 0; anyPause(); waited++) {
            if (waited >= IDLE_WITHIN_MILLIS || runningCommands() > 0) {
                throw stillRunning();
            }
            Thread.sleep(1);
        }
    }

    private ConflictException stillRunning() {
        return new ConflictException(
                stillRun(runningCommands()) + " in the session",
                "Wait until they have ended, or end them.");
    }

    private boolean anyPause() {
        return alive(files.pauseRecord()).isPresent()
                || alive(files.endingRecord()).isPresent()
                || alive(files.pauseRecord()).isPresent();
    }

    /**
     * Ends every process of the session, whoever started it, and waits until its layers are mounted
     * nowhere.
     */
    public void endAll(List<Path> works) throws InterruptedException {
        endAll(works, "end", () -> {});
    }

    /** The same; then runs something before any command can start anew. */
    public void endAll(List<Path> works, String purpose, Action action)
            throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(files.lock(), purpose, LOCK_WITHIN)) {
            starter.invalidateAll();
            long deadline = System.nanoTime() + FREE_WITHIN.toNanos();
            boolean ended;
            do {
                killAll(deadline);
                // A command that was on its way in may have arrived since.
                ended = settle(works).isEmpty();
            } while (!ended && System.nanoTime() < deadline);
            if (!ended) {
                throw stillRunning();
            }
            action.run();
        }
    }

    private void killAll(long deadline) throws InterruptedException {
        // What may have escaped this look does not escape the two that follow.
        for (List<Member> all = members.all(); !all.isEmpty(); all = members.all()) {
            all.forEach(Member::kill);
            if (System.nanoTime() > deadline) {
                return;
            }
            Thread.sleep(2);
        }
    }

    /** What runs while a session is stopped. */
    public interface Action {
        /** Does it. */
        void run() throws InterruptedException;
    }

    private static Optional<PauseRecord> alive(Path file) {
        return PauseRecord.read(file).filter(PauseRecord::isAlive);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The failure that brought us here is the one to report.
        }
    }
}
