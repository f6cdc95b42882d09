package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.limits.DiskWatch;
import dev.carrel.core.limits.Enforcement;
import dev.carrel.core.limits.OutputMeter;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.runtime.RunningCommand;
import dev.carrel.core.store.SessionLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Watches over one command: ends it when a limit is reached that the kernel does not hold, and says
 * what ended it.
 */
final class Supervision implements AutoCloseable {

    /** Between being asked to end and being killed. */
    static final Duration GRACE = Duration.ofSeconds(2);

    private static final int SIGNAL_BASE = 128;
    private static final int LAST_SIGNAL = 64;

    /** Of a process that writes a file beyond the size it may have. */
    private static final int SIGXFSZ = 25;

    private final RunningCommand running;
    private final ResourceLimits limits;
    private final Enforcement enforcement;
    private final AtomicReference<@Nullable Ending> cause = new AtomicReference<>();
    private final List<AutoCloseable> watches = new ArrayList<>();
    private final Thread deadline = Thread.ofPlatform().daemon().unstarted(this::awaitDeadline);

    private Supervision(RunningCommand running, ResourceLimits limits, Enforcement enforcement) {
        this.running = running;
        this.limits = limits;
        this.enforcement = enforcement;
    }

    static Supervision start(
            RunningCommand running,
            ResourceLimits limits,
            Enforcement enforcement,
            SessionLayout layout,
            CommandStreams streams) {
        Supervision supervision = new Supervision(running, limits, enforcement);
        supervision.start(layout, streams);
        return supervision;
    }

    private void start(SessionLayout layout, CommandStreams streams) {
        enforcement.started(
                running::firstProcess,
                new Enforcement.Ends() {
                    @Override
                    public void outOfMemory() {
                        end(new Ending.OutOfMemory(limits.memory().orElseThrow()));
                    }

                    @Override
                    public void unwatched(String why) {
                        end(new Ending.Unwatched(why));
                    }
                });
        if (limits.wallClock().isPresent()) {
            deadline.start();
        }
        streams.start(
                running.process(),
                limits.output().isPresent()
                        ? Optional.of(meter(limits.output().getAsLong()))
                        : Optional.empty());
        limits.disk().ifPresent(most -> watches.add(diskWatch(layout, most)));
    }

    private DiskWatch diskWatch(SessionLayout layout, long most) {
        return DiskWatch.start(
                List.of(layout.repos(), layout.home(), layout.tmp()),
                most,
                running::firstProcess,
                new DiskWatch.Over() {
                    @Override
                    public void diskFull(long used) {
                        end(new Ending.DiskFull(most, used));
                    }

                    @Override
                    public void unwatched(String why) {
                        end(new Ending.Unwatched(why));
                    }
                });
    }

    /** It is told by the thread that moves the output, which must go on. */
    private OutputMeter meter(long most) {
        return new OutputMeter(
                most,
                () ->
                        Thread.ofPlatform()
                                .daemon()
                                .start(() -> end(new Ending.TooMuchOutput(most))));
    }

    /**
     * Kills the command, for this reason unless there was one before, or it has ended by itself.
     */
    void end(Ending why) {
        if (running.process().isAlive()) {
            cause.compareAndSet(null, why);
        }
        running.cancel();
    }

    private void awaitDeadline() {
        Duration time = limits.wallClock().orElseThrow();
        try {
            Thread.sleep(time);
            if (running.process().isAlive()
                    && cause.compareAndSet(null, new Ending.TimedOut(time))) {
                terminate();
                Thread.sleep(GRACE);
                running.cancel();
            }
        } catch (InterruptedException e) {
            // It ended in time.
        }
    }

    private void terminate() {
        try {
            running.terminate();
        } catch (HostOperationException unseen) {
            // Whoever cannot be found cannot be asked; killing comes next.
        }
    }

    /** What the command used; to be asked for after its end. */
    Usage usage() {
        return enforcement.usage();
    }

    String mechanism() {
        return enforcement.mechanism();
    }

    /** What ended it. */
    Ending ending(int exit, Usage usage, boolean outputLost) {
        Ending known = cause.get();
        if (known != null) {
            return known;
        }
        if (outputLost && limits.output().isPresent()) {
            // It ended by itself before it could be ended, and succeeded perhaps.
            return new Ending.TooMuchOutput(limits.output().getAsLong());
        }
        if (exit == 0) {
            // Whatever happened to a part of it, the command did not mind.
            return new Ending.Exited(0);
        }
        if (usage.outOfMemory() && limits.memory().isPresent()) {
            return new Ending.OutOfMemory(limits.memory().getAsLong());
        }
        if (usage.tooManyProcesses() && limits.pids().isPresent()) {
            return new Ending.TooManyProcesses(limits.pids().getAsInt());
        }
        int signal = exit - SIGNAL_BASE;
        if (signal == SIGXFSZ && limits.disk().isPresent()) {
            return new Ending.DiskFull(limits.disk().getAsLong(), limits.disk().getAsLong());
        }
        return signal > 0 && signal <= LAST_SIGNAL
                ? new Ending.Signalled(signal)
                : new Ending.Exited(exit);
    }

    /** After the end. */
    @Override
    public void close() {
        deadline.interrupt();
        watches.forEach(Supervision::stop);
        enforcement.close();
    }

    private static void stop(AutoCloseable watch) {
        try {
            watch.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
