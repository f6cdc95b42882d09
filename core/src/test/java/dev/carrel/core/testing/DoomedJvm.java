package dev.carrel.core.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of our own that works up to a point and is killed there by SIGKILL: exactly then, or a
 * moment later while it goes on. Its program calls {@link #words}, works, and calls {@link
 * #reached} at the point. One is always started ahead, as most of its time is the start of its JVM.
 */
public final class DoomedJvm implements AutoCloseable {

    private static final String REACHED = "reached the point";

    /** What SIGKILL makes of a process. */
    private static final int KILLED = 137;

    private final Class<?> main;
    private Process spare;

    /**
     * A first one.
     *
     * @param main the program
     */
    public DoomedJvm(Class<?> main) throws IOException {
        this.main = main;
        this.spare = ChildJvm.start(main);
    }

    /** In the child: what it is asked to do. */
    public static List<String> words() throws IOException {
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return List.of(String.valueOf(input.readLine()).split("\t", -1));
    }

    /**
     * In the child: says so.
     *
     * @param stay whether it goes no further
     */
    public static void reached(boolean stay) throws InterruptedException {
        System.out.println(REACHED);
        System.out.flush();
        if (stay) {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /** Lets one work until it reaches the point, and kills it there. */
    public void kill(String... words) throws Exception {
        Process process = start(words);
        await(process);
        process.destroyForcibly().waitFor();
    }

    /**
     * Kills one some time after it has reached the point.
     *
     * @return false if it was done by then
     */
    public boolean killAfter(long microseconds, String... words) throws Exception {
        Process process = start(words);
        await(process);
        LockSupport.parkNanos(1000 * microseconds);
        return process.destroyForcibly().waitFor() == KILLED;
    }

    /** Sets one to work; it is the caller's. */
    public Process start(String... words) throws IOException {
        Process process = spare;
        spare = ChildJvm.start(main);
        process.outputWriter(StandardCharsets.UTF_8)
                .append(String.join("\t", words) + "\n")
                .flush();
        return process;
    }

    private static void await(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder before = new StringBuilder();
        for (String line = output.readLine(); !REACHED.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new AssertionError("it ended before the point: " + before);
            }
            before.append(line).append('\n');
        }
    }

    @Override
    public void close() {
        spare.destroyForcibly();
    }
}
