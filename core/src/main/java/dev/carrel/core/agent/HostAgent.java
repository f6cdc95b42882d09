package dev.carrel.core.agent;

import dev.carrel.core.limits.Enforcement;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Ending;
import dev.carrel.core.session.NetworkResult;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An agent as a plain process of the host. It has a clock, limits as far as the machine holds them,
 * and its processes end with it; there is no wall.
 */
final class HostAgent implements AgentProcess {

    private static final Duration GRACE = Duration.ofSeconds(2);

    /** The program is killed with the thread that forked it, which lives as long as Carrel. */
    private static final java.util.List<String> DIES_WITH_CARREL =
            java.util.List.of("setpriv", "--pdeathsig", "KILL", "--");

    private final RunningProcess process;
    private final HostProcesses processes;
    private final ResourceLimits limits;
    private final Enforcement enforcement;
    private final AtomicReference<@Nullable Ending> cause = new AtomicReference<>();
    private final Instant started = Instant.now();
    private final long clock = System.nanoTime();
    private final Thread deadline;

    private HostAgent(
            RunningProcess process,
            HostProcesses processes,
            ResourceLimits limits,
            Enforcement enforcement) {
        this.process = process;
        this.processes = processes;
        this.limits = limits;
        this.enforcement = enforcement;
        this.deadline = Thread.ofPlatform().daemon().name("agent-clock").unstarted(this::watch);
    }

    /**
     * Starts it.
     *
     * @param enforcement holds its limits; closed here in any case
     * @param mark a variable of its environment that no other process has
     */
    static HostAgent start(
            ProcessRunner runner,
            Command command,
            ResourceLimits limits,
            Enforcement enforcement,
            HostProcesses.Mark mark) {
        Command piped =
                command.behind(DIES_WITH_CARREL)
                        .withVariable(mark.name(), mark.value())
                        .withStreams(
                                new Command.Input.Piped(),
                                new Command.Output.Piped(),
                                new Command.Output.Piped())
                        .within(
                                new Command.Bounds(
                                        enforcement.toEnter(),
                                        enforcement.data(),
                                        OptionalLong.empty()));
        boolean begun = false;
        try {
            RunningProcess process = runner.start(piped);
            begun = true;
            HostAgent agent =
                    new HostAgent(
                            process, new HostProcesses(process.pid(), mark), limits, enforcement);
            agent.deadline.start();
            enforcement.started(() -> OptionalLong.of(process.pid()), agent.ends());
            return agent;
        } finally {
            if (!begun) {
                enforcement.close();
            }
        }
    }

    private Enforcement.Ends ends() {
        return new Enforcement.Ends() {
            @Override
            public void outOfMemory() {
                end(new Ending.OutOfMemory(limits.memory().orElseThrow()));
            }

            @Override
            public void unwatched(String why) {
                end(new Ending.Unwatched(why));
            }
        };
    }

    private void watch() {
        try {
            Duration time = limits.wallClock().orElse(null);
            if (time == null) {
                return;
            }
            Thread.sleep(time);
            if (process.isAlive() && cause.compareAndSet(null, new Ending.TimedOut(time))) {
                processes.terminate();
                Thread.sleep(GRACE);
                processes.kill();
            }
        } catch (InterruptedException e) {
            // It ended in time.
        }
    }

    private void end(Ending why) {
        if (process.isAlive()) {
            cause.compareAndSet(null, why);
        }
        processes.kill();
    }

    @Override
    public OutputStream input() {
        return process.input();
    }

    @Override
    public InputStream output() {
        return process.output();
    }

    @Override
    public InputStream error() {
        return process.error();
    }

    @Override
    public boolean endsItsStreams() {
        return false;
    }

    @Override
    public void cancel() {
        end(new Ending.Cancelled());
    }

    @Override
    public CommandResult await() throws InterruptedException {
        try {
            process.awaitExit();
            processes.kill();
            ProcessResult result = process.await();
            Usage usage = enforcement.usage();
            Ending how = ending(result.exit(), usage);
            return new CommandResult(
                    result.exit(),
                    how,
                    started,
                    Duration.ofNanos(System.nanoTime() - clock),
                    usage,
                    enforcement.mechanism(),
                    new byte[0],
                    new byte[0],
                    Optional.empty(),
                    NetworkResult.NOTHING);
        } catch (InterruptedException e) {
            cancel();
            throw e;
        } finally {
            deadline.interrupt();
            enforcement.close();
        }
    }

    private Ending ending(int exit, Usage usage) {
        Ending known = cause.get();
        if (known != null) {
            return known;
        }
        return exit != 0 && usage.outOfMemory() && limits.memory().isPresent()
                ? new Ending.OutOfMemory(limits.memory().getAsLong())
                : new Ending.Exited(exit);
    }
}
