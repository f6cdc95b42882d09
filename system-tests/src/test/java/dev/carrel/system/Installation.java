package dev.carrel.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The built distribution with a workspace folder of its own and a small repository to work on. */
final class Installation {

    private static final int PATIENCE_SECONDS = 280;

    /** How one call ended. */
    record Answer(int exit, String out, String err) {}

    /** What the machine's report says is the same for each class of a run, and takes its time. */
    private static boolean usable;

    private final Path scratch;

    private Installation(Path scratch) {
        this.scratch = scratch;
    }

    /** Needs a machine that sandboxes can run on. */
    static Installation open() throws Exception {
        // Not below a home or a private temporary directory: root's sandboxes run as another user.
        Path scratch = Files.createTempDirectory(Path.of("/var/tmp"), "carrel-system");
        Files.setPosixFilePermissions(
                scratch, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        Installation made = new Installation(scratch);
        made.needsAUsableMachine();
        Files.createDirectories(made.repository());
        Files.writeString(made.repository().resolve("README"), "hello\n");
        made.host("git", "init", "-q", ".");
        made.host("git", "add", ".");
        made.host(
                "git",
                "-c",
                "user.name=n",
                "-c",
                "user.email=n@example.org",
                "commit",
                "-qm",
                "one");
        return made;
    }

    private void needsAUsableMachine() throws Exception {
        if (usable) {
            return;
        }
        Answer doctor = carrel("doctor");
        if (doctor.exit() != 0) {
            close();
            Assertions.assertNotEquals(
                    "1", System.getenv("CARREL_FORBID_SKIPS"), doctor.out() + doctor.err());
            Assumptions.abort("no session can run on this machine: " + doctor.out());
        }
        usable = true;
    }

    /** The ids of all sessions, with one command. */
    List<String> sessions() throws Exception {
        return carrel("session", "list", "--ids").out().lines().toList();
    }

    Path repository() {
        return scratch.resolve("app");
    }

    Path file(String name) {
        return scratch.resolve(name);
    }

    static String program() {
        return Path.of(System.getProperty("carrel.dist"), "bin", "carrel").toString();
    }

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Calls carrel in the repository, without a terminal. */
    Answer carrel(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(program()));
        words.addAll(List.of(arguments));
        return host(words.toArray(String[]::new));
    }

    /** A command of the host in the repository. */
    Answer host(String... words) throws Exception {
        return answer(prepared(words));
    }

    /** Runs what was prepared, without input. */
    Answer answer(ProcessBuilder builder) throws Exception {
        Path out = Files.createTempFile(scratch, "out", "");
        Path err = Files.createTempFile(scratch, "err", "");
        builder.redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(builder.command() + " does not end");
        }
        return new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Sends a signal by the shell's own kill: a small system has no program of this name. */
    void signal(String name, long pid) throws Exception {
        host("sh", "-c", "kill -" + name + " " + pid);
    }

    /** Skips a test where a program is missing, or fails it where skips are forbidden. */
    void needs(String program) throws Exception {
        if (host("sh", "-c", "command -v " + program).exit() != 0) {
            Assertions.assertNotEquals(
                    "1", System.getenv("CARREL_FORBID_SKIPS"), "needs the program " + program);
            Assumptions.abort("needs the program " + program + ", which is not in PATH");
        }
    }

    ProcessBuilder prepared(String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words);
        Path directory = Files.isDirectory(repository()) ? repository() : scratch;
        builder.directory(directory.toFile());
        builder.environment().put("CARREL_WORKSPACES", scratch.resolve("workspaces").toString());
        // Not the settings of whoever runs the tests.
        builder.environment().put("CARREL_CONFIG", "/dev/null");
        builder.environment().put("XDG_CACHE_HOME", scratch.resolve("cache").toString());
        builder.environment().put("TERM", "xterm");
        return builder;
    }

    /** The bytes of a file as text. */
    String read(String name) throws IOException {
        return Files.readString(file(name), StandardCharsets.UTF_8);
    }

    public void close() throws Exception {
        List<String> ids = sessions();
        if (!ids.isEmpty()) {
            List<String> removal = new ArrayList<>(List.of("session", "rm"));
            removal.addAll(ids);
            carrel(removal.toArray(String[]::new));
        }
        // The workspace folder may hold files of another user; the path is one that we made.
        host("rm", "-rf", "--one-file-system", scratch.resolve("workspaces").toString());
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
