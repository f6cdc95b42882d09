package dev.carrel.core.process;

import dev.carrel.core.posix.ProcessExit;
import dev.carrel.core.posix.Signals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens when this process is told to end by SIGINT, SIGTERM or SIGHUP: the working thread is
 * interrupted and given time to end its command and to clean up, then the JVM exits with 128 + the
 * number of the signal. A second signal ends the process at once.
 */
public final class Termination {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<Runnable> FIRST = new CopyOnWriteArrayList<>();

    private final Thread worker;
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean signalled;

    private Termination(Thread worker) {
        this.worker = worker;
    }

    /** From now on a signal interrupts the calling thread. Once per process. */
    public static Termination interruptsThisThread() {
        Termination termination = new Termination(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(new Thread(termination::end, "carrel-end"));
        return termination;
    }

    /** What a signal does even before it interrupts: giving the terminal back, for example. */
    public static void beforeEverythingElse(Runnable action) {
        FIRST.add(action);
    }

    /** The working thread has done its work: an exit need not wait for it. */
    public void finished() {
        finished.countDown();
    }

    /**
     * Ends this process at once, when all is written and nothing is left to do. An exit of the JVM
     * takes 300 ms longer while one of its threads waits for a child that goes on living, such as
     * the process that holds a session. No shutdown hook runs. After a signal this returns: the JVM
     * is ending already, with the number of the signal.
     */
    public void exitAtOnce(int status) {
        if (!signalled) {
            ProcessExit.now(status);
        }
    }

    private void end() {
        if (finished.getCount() == 0) {
            return;
        }
        signalled = true;
        FIRST.forEach(Runnable::run);
        Signals.restoreDefault(Signals.INTERRUPT);
        Signals.restoreDefault(Signals.TERMINATE);
        Signals.restoreDefault(Signals.HANGUP);
        worker.interrupt();
        try {
            boolean _ = finished.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
