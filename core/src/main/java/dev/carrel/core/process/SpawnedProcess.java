package dev.carrel.core.process;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.Child;
import dev.carrel.core.posix.CoreDumps;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.Spawn;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process that the C library started, with its descriptors in place. */
record SpawnedProcess(
        Child child, Pump pump, OutputStream input, InputStream output, InputStream error)
        implements RunningProcess {

    /** One thread for each process that runs; daemons, so that they never hold the JVM. */
    private static final Executor PUMPS =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("carrel-process-", 1).factory());

    /** In which the JDK reads arguments, variables and names of files. */
    private static final Charset NATIVE =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    /** Starts it on the calling thread. */
    static SpawnedProcess start(Command given) throws IOException {
        if (GroupVisit.takesShell(given)) {
            return start(GroupVisit.behindShell(given));
        }
        Command command = withoutCoreDumps(given);
        Path program =
                Programs.find(command.argv().getFirst())
                        .orElseThrow(() -> new IOException(Errno.describe(Errno.ENOENT)));
        try (ChildDescriptors descriptors = new ChildDescriptors(command)) {
            int pid = spawn(command, program, descriptors);
            if (pid < 0) {
                throw new IOException(Errno.describe(-pid));
            }
            Child child = new Child(pid);
            Pump pump = descriptors.pump(child, watch(child));
            PUMPS.execute(pump);
            return new SpawnedProcess(
                    child, pump, descriptors.input(), descriptors.output(), descriptors.error());
        }
    }

    /** A limit that is set from outside can come after the command has become another process. */
    private static Command withoutCoreDumps(Command command) {
        return command.bounds().isEmpty() || CoreDumps.areRefused()
                ? command
                : command.behind(Shell.WITHOUT_CORE_DUMPS);
    }

    /** Nothing else may be done meanwhile: a thread that is made is in the groups for ever. */
    private static int spawn(Command command, Path program, ChildDescriptors descriptors)
            throws IOException {
        byte[] path = bytes(program.toString());
        List<byte[]> words = command.argv().stream().map(SpawnedProcess::bytes).toList();
        List<byte[]> variables = environment(command.environment());
        byte[] directory = bytes(command.directory().orElse(Path.of("/")).toString());
        try (GroupVisit _ = GroupVisit.of(command)) {
            return Spawn.start(path, words, variables, directory, descriptors.given());
        }
    }

    private static int watch(Child child) throws IOException {
        int watch = child.watch();
        if (watch < 0) {
            child.kill();
            child.await();
            throw new IOException("it cannot be watched: " + Errno.describe(-watch));
        }
        return watch;
    }

    static byte[] bytes(String text) {
        return text.getBytes(NATIVE);
    }

    private static List<byte[]> environment(Map<String, String> variables) {
        List<byte[]> words = new ArrayList<>();
        variables.forEach((name, value) -> words.add(bytes(name + "=" + value)));
        return words;
    }

    @Override
    public long pid() {
        return child.pid();
    }

    @Override
    public void awaitExit() throws InterruptedException {
        exit();
    }

    @Override
    public ProcessResult await() throws InterruptedException {
        int exit = exit();
        get(pump.drained());
        return new ProcessResult(exit, pump.output(), pump.error());
    }

    private int exit() throws InterruptedException {
        int status = get(pump.exit());
        if (status < 0) {
            throw new HostOperationException(
                    "how process "
                            + child.pid()
                            + " ended cannot be found out: "
                            + Errno.describe(-status));
        }
        return status;
    }

    private static <T> T get(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Whoever starts it waits until it has become the program. */
    @Override
    public boolean hasItsFiles() {
        return true;
    }

    @Override
    public boolean isAlive() {
        return !pump.exit().isDone();
    }

    @Override
    public void kill() {
        child.kill();
    }
}
