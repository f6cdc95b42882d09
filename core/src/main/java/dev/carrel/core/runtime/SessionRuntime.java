package dev.carrel.core.runtime;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.store.Locks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The namespaces of one session, found or made on demand. Safe for many threads and many processes
 * at once: what they must agree on is decided under the session's lock, and the kernel is asked
 * before an upper layer is mounted.
 */
public final class SessionRuntime {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);
    private static final int FREE_WITHIN_MILLIS = 8_000;
    private static final int IDLE_WITHIN_MILLIS = 2_000;

    private final Path bwrap;
    private final String token;
    private final RuntimeFiles files;
    private final Users users;
    private final MountProbe probe;
    private final PauseStart starter;

    /** A runtime on existing directories; nothing is started. */
    public SessionRuntime(
            ProcessRunner runner, Path bwrap, Identity identity, RuntimeFiles files, String token) {
        this.bwrap = bwrap;
        this.token = token;
        this.files = files;
        this.users = new Users(files.commands());
        this.probe = new MountProbe(runner, bwrap, identity, files);
        this.starter = new PauseStart(runner, bwrap, identity, files, token);
    }

    /** How many commands run in the session now. */
    public int runningCommands() {
        return users.running();
    }

    /** The same without a runtime, where there may be no bubblewrap. */
    public static int runningCommands(RuntimeFiles files) {
        return new Users(files.commands()).running();
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

    String token() {
        return token;
    }

    /** The command that would stage the view, for people. */
    public Command pauseCommand() {
        return starter.firstCommand();
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
    public Joined join(Supplier<View> view) throws InterruptedException {
        String wanted = fingerprint(view.get());
        // The order matters: a pause that finds the FIFO open after it renamed its record away
        // stays.
        FileChannel fifo = Joined.openFifo(files.fifo());
        boolean joined = false;
        try {
            Optional<PauseRecord> running =
                    alive(files.pauseRecord()).filter(pause -> pause.view().equals(wanted));
            PauseRecord pause = running.isPresent() ? running.get() : joinUnderLock(view);
            joined = true;
            return new Joined(fifo, pause);
        } finally {
            if (!joined) {
                closeQuietly(fifo);
            }
        }
    }

    private PauseRecord joinUnderLock(Supplier<View> source) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(files.lock(), "start", LOCK_WITHIN)) {
            if (!java.nio.file.Files.exists(files.fifo())) {
                throw new dev.carrel.core.failure.NotFoundException(
                        "the session was removed in the meantime");
            }
            // Only now: a discard that held the lock may have given the session other layers.
            View view = source.get();
            String wanted = fingerprint(view);
            while (true) {
                Optional<PauseRecord> pause = alive(files.pauseRecord());
                if (pause.isPresent()) {
                    if (pause.get().view().equals(wanted)) {
                        return pause.get();
                    }
                    throw otherView();
                }
                if (alive(files.endingRecord()).isEmpty()) {
                    return recover(view, wanted);
                }
                Thread.sleep(1);
            }
        }
    }

    private String fingerprint(View view) {
        return View.fingerprint(view.options(bwrap, token));
    }

    private ConflictException otherView() {
        return new ConflictException(
                "the session already runs with other mounts or another policy",
                "Wait until its commands have ended ("
                        + runningCommands()
                        + " running), then try again.");
    }

    /**
     * No pause lives. What is left of an earlier one is adopted or ended before anything is
     * mounted.
     */
    private PauseRecord recover(View view, String wanted) throws InterruptedException {
        users.tidy();
        Optional<PauseRecord> last = PauseRecord.read(files.run().resolve("last-pause.json"));
        if (last.isPresent()) {
            Optional<Member> survivor = endOrphans(last.get().namespaces());
            if (survivor.isPresent()) {
                if (!last.get().view().equals(wanted)) {
                    throw otherView();
                }
                return starter.replacement(survivor.get(), wanted);
            }
            awaitFree(view.works());
        }
        return starter.first(view);
    }

    /**
     * Ends what nobody answers for; answers with a supervisor of a living user, if there is one.
     */
    private Optional<Member> endOrphans(Namespaces session) throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            List<Member> members = Members.of(token);
            List<Member> orphans = Members.orphans(members, session, users.living());
            if (orphans.isEmpty() || attempt > 500) {
                return members.stream()
                        .filter(member -> member.namespaces().equals(session))
                        .filter(member -> !orphans.contains(member))
                        .findFirst();
            }
            orphans.forEach(Member::kill);
            Thread.sleep(2);
        }
    }

    private void awaitFree(List<Path> works) throws InterruptedException {
        for (Path work : works) {
            long waited = 0;
            for (long pause = 5; !probe.isFree(work); pause = Math.min(50, pause * 2)) {
                if (waited > FREE_WITHIN_MILLIS) {
                    throw stillMounted(work);
                }
                Thread.sleep(pause);
                waited += pause;
            }
        }
    }

    private ConflictException stillMounted(Path work) {
        List<Long> holders = Members.of(token).stream().map(Member::pid).toList();
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
            PauseRecord.read(files.run().resolve("last-pause.json")).ifPresent(this::endSurvivors);
            awaitFree(works);
            action.run();
        }
    }

    /** What runs while a session is stopped. */
    public interface Action {
        /** Does it. */
        void run() throws InterruptedException;
    }

    private void awaitIdle() throws InterruptedException {
        for (int waited = 0; anyPause(); waited++) {
            if (waited >= IDLE_WITHIN_MILLIS || runningCommands() > 0) {
                throw new ConflictException(
                        runningCommands() + " command(s) still run in the session",
                        "Wait until they have ended, or end them.");
            }
            Thread.sleep(1);
        }
    }

    private boolean anyPause() {
        return alive(files.pauseRecord()).isPresent() || alive(files.endingRecord()).isPresent();
    }

    private void endSurvivors(PauseRecord last) {
        try {
            if (endOrphans(last.namespaces()).isPresent()) {
                throw new ConflictException(
                        runningCommands() + " command(s) still run in the session",
                        "Wait until they have ended, or end them.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConflictException("interrupted while looking for running commands");
        }
    }

    /**
     * Ends every process of the session, whoever started it, and waits until its layers are mounted
     * nowhere.
     */
    public void endAll(List<Path> works) throws InterruptedException {
        try (Locks.Held _ = Locks.acquire(files.lock(), "end", LOCK_WITHIN)) {
            for (int attempt = 0; attempt < 2_000; attempt++) {
                // Members include the pause: it has the token in its own mount table.
                List<Member> members = Members.of(token);
                if (members.isEmpty()) {
                    break;
                }
                members.forEach(Member::kill);
                Thread.sleep(2);
            }
            awaitFree(works);
        }
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
