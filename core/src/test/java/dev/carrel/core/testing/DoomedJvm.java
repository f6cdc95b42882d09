package dev.carrel.core.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of our own that does several works at once, each up to a point in it, and is killed
 * there by SIGKILL: exactly then, or a moment later while some of them go on. Its program calls
 * {@link #work}, and each work calls {@link #reached} at its point. Most of a process's time is the
 * start of its JVM, so one dies for all works whose subjects have nothing to do with each other.
 */
public final class DoomedJvm {

    private static final String REACHED = "reached the point";
    private static final CountDownLatch GO = new CountDownLatch(1);

    private final Class<?> main;

    /**
     * Processes of one kind.
     *
     * @param main the program
     */
    public DoomedJvm(Class<?> main) {
        this.main = main;
    }

    /** In the child: what it does, in a thread for each. */
    public interface Work {
        /** Begins with the words that {@link #kill} has for it. */
        void run(List<String> words) throws Exception;
    }

    /** In the child: does what it is asked for. */
    public static void work(Work work) throws IOException {
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine();
                line != null && !line.isEmpty();
                line = input.readLine()) {
            List<String> words = List.of(line.split("\t", -1));
            Thread.ofPlatform().start(() -> runOrEnd(work, words));
        }
        if (input.readLine() != null) {
            GO.countDown();
        }
    }

    private static void runOrEnd(Work work, List<String> words) {
        try {
            work.run(words);
        } catch (Exception | Error e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    /**
     * In the child: says so.
     *
     * @param stay whether it goes no further; else it does once all works are at their points
     */
    public static void reached(boolean stay) throws InterruptedException {
        System.out.println(REACHED);
        System.out.flush();
        if (stay) {
            Thread.sleep(Long.MAX_VALUE);
        }
        GO.await();
    }

    /** Lets one do works until all have reached their points, and kills it there. */
    public void kill(List<List<String>> works) throws Exception {
        killAfter(0, works);
    }

    /** Kills one some time after all of its works have reached their points. */
    public void killAfter(long microseconds, List<List<String>> works) throws Exception {
        Process process = start(works);
        await(process, works.size());
        process.outputWriter(StandardCharsets.UTF_8).append("go\n").flush();
        LockSupport.parkNanos(1000 * microseconds);
        process.destroyForcibly().waitFor();
    }

    /** Sets one to work; it is the caller's. */
    public Process start(List<List<String>> works) throws IOException {
        Process process = ChildJvm.start(main);
        Writer input = process.outputWriter(StandardCharsets.UTF_8);
        for (List<String> words : works) {
            input.append(String.join("\t", words)).append('\n');
        }
        input.append('\n').flush();
        return process;
    }

    private static void await(Process process, int times) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder before = new StringBuilder();
        for (int reached = 0; reached < times; ) {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("it ended before the point: " + before);
            }
            if (line.equals(REACHED)) {
                reached++;
            } else {
                before.append(line).append('\n');
            }
        }
    }
}
