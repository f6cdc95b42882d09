package dev.carrel.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The place where everything is measured, and how programs are run there.
 *
 * @param root the checkout
 * @param directory scratch, on the file system that users' state is on
 * @param bwrap the bubblewrap of all contenders
 */
record Workbench(Path root, Path directory, Path bwrap) {

    private static final String PROGRAMS =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final Redirect NOTHING = Redirect.from(new File("/dev/null"));

    /** A program answered with an error. */
    static final class ProgramFailed extends Exception {
        private static final long serialVersionUID = 1;

        ProgramFailed(String message) {
            super(message);
        }
    }

    /** In a directory that the sandboxes of root, which run as another user, can get through. */
    static Workbench create(Path root) throws IOException {
        String bwrap = System.getenv().getOrDefault("CARREL_BWRAP", "/usr/bin/bwrap");
        Path directory = Files.createTempDirectory("carrel-bench");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        return new Workbench(root, directory, Path.of(bwrap));
    }

    Path carrel() {
        return root.resolve("cli/target/dist/bin/carrel");
    }

    Path peer(String program) {
        return root.resolve("build/bench").resolve(program);
    }

    /** The environment of everything that is run: the machine's, with a home of its own. */
    Map<String, String> environment(Path workspaces) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        environment.put("HOME", Files.createDirectories(directory.resolve("home")).toString());
        environment.put(
                "PATH",
                String.join(
                        ":",
                        bwrap.resolveSibling(".").normalize().toString(),
                        peer("bin").toString(),
                        PROGRAMS));
        environment.put("LANG", "C.UTF-8");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("CARREL_BWRAP", bwrap.toString());
        environment.put("CARREL_WORKSPACES", workspaces.toString());
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        for (String who : List.of("AUTHOR", "COMMITTER")) {
            environment.put("GIT_" + who + "_NAME", "bench");
            environment.put("GIT_" + who + "_EMAIL", "bench@example.org");
        }
        return environment;
    }

    /** Runs a program to its end; its output goes away. */
    void run(Path in, String... argv) throws Exception {
        run(in, directory.resolve("workspaces"), List.of(argv));
    }

    void run(Path in, Path workspaces, List<String> argv) throws Exception {
        run(in, workspaces, argv, Redirect.DISCARD);
    }

    void run(Path in, Path workspaces, List<String> argv, Redirect output) throws Exception {
        Path errors = Files.createTempFile(directory, "errors", "");
        ProcessBuilder builder = new ProcessBuilder(argv).directory(in.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment(workspaces));
        Process process =
                builder.redirectInput(NOTHING)
                        .redirectOutput(output)
                        .redirectError(errors.toFile())
                        .start();
        int exit = process.waitFor();
        String said = exit == 0 ? "" : Files.readString(errors).strip();
        Files.delete(errors);
        if (exit != 0) {
            throw new ProgramFailed(
                    "'"
                            + String.join(" ", argv.subList(0, Math.min(argv.size(), 3)))
                            + " …' exits with "
                            + exit
                            + ": "
                            + said.lines().reduce("", (a, b) -> b));
        }
    }

    /**
     * Runs a program to its end with as little as a Java program can do for it: no files, one
     * variable, what it says read only if it fails.
     */
    static void start(List<String> argv) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(argv).redirectInput(NOTHING);
        builder.environment().clear();
        builder.environment().put("PATH", PROGRAMS);
        Process process = builder.start();
        int exit = process.waitFor();
        if (exit != 0) {
            throw new ProgramFailed(
                    exit + ": " + new String(process.getErrorStream().readAllBytes(), UTF_8));
        }
    }

    /** A git repository of this many small files in directories of a hundred, committed. */
    Path repository(String name, int files) throws Exception {
        Path repository = Files.createDirectories(directory.resolve(name));
        for (int i = 0; i < files; i++) {
            Path file = repository.resolve(file(i));
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, ("line of file " + i + "\n").repeat(20 + i % 40));
        }
        run(repository, "git", "init", "-q", "-b", "main", ".");
        run(repository, "git", "add", "-A");
        run(repository, "git", "commit", "-q", "-m", "first");
        return repository;
    }

    static String file(int number) {
        return "part" + number / 1000 + "/dir" + number / 100 % 10 + "/file" + number + ".txt";
    }

    /** Deletes everything. */
    void remove() throws Exception {
        new ProcessBuilder("rm", "-rf", directory.toString()).inheritIO().start().waitFor();
    }

    static List<String> words(List<String> first, String... more) {
        List<String> all = new ArrayList<>(first);
        all.addAll(Arrays.asList(more));
        return all;
    }
}
