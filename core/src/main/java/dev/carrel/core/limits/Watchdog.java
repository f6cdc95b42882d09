package dev.carrel.core.limits;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.process.Command;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the processes of one command every now and then, and ends it when they use more memory
 * together than it may, or when it cannot look any more.
 */
final class Watchdog implements Enforcement {

    private static final Duration FIRST_LOOK = Duration.ofMillis(10);

    /** Where only figures are wanted: after the shortest commands. */
    private static final Duration FIRST_FIGURES = Duration.ofMillis(60);

    /** Memory is filled at 2 GiB a second; this bounds what a command can get above its limit. */
    private static final Duration LIMITED = Duration.ofMillis(50);

    /** Where only figures are wanted. */
    private static final Duration UNLIMITED = Duration.ofMillis(500);

    private final String mechanism;
    private final ResourceLimits limits;
    private final OptionalLong data;
    private final OptionalInt pids;
    private volatile Usage usage = Usage.UNKNOWN;
    private volatile boolean closed;
    private @Nullable Thread thread;

    Watchdog(String mechanism, ResourceLimits limits, OptionalLong data, OptionalInt pids) {
        this.mechanism = mechanism;
        this.limits = limits;
        this.data = data;
        this.pids = pids;
    }

    @Override
    public String mechanism() {
        return mechanism;
    }

    @Override
    public List<Command.Bounds.Group> toEnter() {
        return List.of();
    }

    @Override
    public OptionalLong data() {
        return data;
    }

    @Override
    public OptionalInt pids() {
        return pids;
    }

    @Override
    public void started(Supplier<OptionalLong> child, Ends end) {
        thread = Thread.ofPlatform().daemon().name("limits").start(() -> watch(child, end));
    }

    private void watch(Supplier<OptionalLong> child, Ends end) {
        Duration most = limits.memory().isPresent() ? LIMITED : UNLIMITED;
        Duration pause = limits.equals(ResourceLimits.NONE) ? FIRST_FIGURES : FIRST_LOOK;
        try {
            while (!closed) {
                Thread.sleep(pause);
                pause = pause.multipliedBy(2).compareTo(most) < 0 ? pause.multipliedBy(2) : most;
                OptionalLong first = child.get();
                if (first.isPresent() && look(ProcessTree.below(first.getAsLong()))) {
                    end.outOfMemory();
                    return;
                }
            }
        } catch (RuntimeException | Error blind) {
            // Whatever it is, nobody looks any more: even a class can be missing without files.
            if (limits.memory().isPresent()) {
                end.unwatched(why(blind));
            }
        } catch (InterruptedException e) {
            // The command has ended.
        }
    }

    static String why(Throwable blind) {
        return blind instanceof HostOperationException failure
                ? failure.message()
                : blind.toString();
    }

    /** Whether it has to end. */
    private boolean look(ProcessTree tree) {
        ProcessTree.Use use = tree.use();
        long memory = use.memory();
        boolean over = limits.memory().isPresent() && memory > limits.memory().getAsLong();
        if (over) {
            memory = tree.shareOfMemory();
            over = memory > limits.memory().getAsLong();
        }
        Usage before = usage;
        usage =
                new Usage(
                        OptionalLong.of(Math.max(memory, before.peakMemory().orElse(0))),
                        Optional.of(longer(use.cpu(), before.cpu())),
                        over,
                        before.tooManyProcesses()
                                || (limits.pids().isPresent()
                                        && use.tasks() > limits.pids().getAsInt()));
        return over;
    }

    /** A process that nobody waited for takes its time with it. */
    private static Duration longer(Duration now, Optional<Duration> before) {
        return before.filter(each -> each.compareTo(now) > 0).orElse(now);
    }

    @Override
    public Usage usage() {
        return usage;
    }

    @Override
    public void close() {
        closed = true;
        Thread watching = thread;
        if (watching != null) {
            watching.interrupt();
        }
    }
}
