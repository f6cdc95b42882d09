package dev.carrel.bench;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code true}: as a process of the host, in bubblewrap alone with the view of a session, and in a
 * session that already runs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(2)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
public class JoinBenchmark {

    private static final Command ON_HOST = Command.of("/usr/bin/true");

    private final ProcessRunner runner = new HostProcessRunner();
    private BenchSession session = BenchSession.NONE;

    /** Makes the session and keeps it running. */
    @Setup
    public void start() throws Exception {
        session = BenchSession.create(runner);
        session.hold();
    }

    /** Ends and removes it. */
    @TearDown
    public void end() throws Exception {
        session.remove();
    }

    /** Nothing but a process. */
    @Benchmark
    public int host() throws InterruptedException {
        return checked(runner.run(ON_HOST));
    }

    /** Every mount is made for the one command. */
    @Benchmark
    public int bareBubblewrap() throws InterruptedException {
        return checked(session.runBare());
    }

    /** The mounts are there; the command joins. */
    @Benchmark
    public int join() throws InterruptedException {
        return checked(session.runJoined());
    }

    private static int checked(ProcessResult result) {
        if (!result.succeeded()) {
            throw new IllegalStateException("exit " + result.exit() + ": " + result.errorText());
        }
        return result.exit();
    }
}
