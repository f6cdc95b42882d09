package dev.carrel.bench;

import dev.carrel.bench.Contender.Action;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whole processes, as a user or a script starts them. */
record CommandLineContests(Workbench bench) {

    private static final String BARE = "bare bwrap";
    private static final String TRUE = "/usr/bin/true";

    Contest cold() throws Exception {
        Path repository = bench.repository("small", 20);
        BareBwrap bare = BareBwrap.over(bench, repository, "bare-cold");
        List<Contender> contenders = new ArrayList<>();
        contenders.add(program(BARE, repository, bare.command(TRUE)));
        contenders.add(program("carrel run -- true", repository, carrel("run", "--", "true")));
        contenders.add(program("carrel --version", repository, carrel("--version")));
        contenders.add(program("a Java program that does nothing", repository, hello()));
        contenders.add(srt(repository));
        contenders.add(codex("codex sandbox -- true", "node_modules/.bin/codex", repository));
        contenders.add(codex("its native binary alone", "bin/codex", repository));
        return new Contest(
                "A command in a fresh sandbox, from the command line",
                "A small git repository. `carrel run` makes a session, runs the command, looks what"
                        + " changed and removes the session; the others show the host's files as they"
                        + " are.",
                BARE,
                2,
                15,
                contenders);
    }

    Contest live() throws Exception {
        Path repository = bench.repository("live", 20);
        Path workspaces = bench.directory().resolve("workspaces");
        BareBwrap bare = BareBwrap.over(bench, repository, "bare-live");
        bench.run(repository, workspaces, carrel("session", "new", "--name", "live"));
        Process keeper = keeper(repository, workspaces);
        return new Contest(
                "A command in a session that runs, from the command line",
                "Another command keeps the session running.",
                BARE,
                2,
                15,
                List.of(
                        program(BARE, repository, bare.command(TRUE)),
                        Contender.of(
                                "carrel exec ID -- true",
                                () -> requireAlive(keeper),
                                () ->
                                        bench.run(
                                                repository,
                                                workspaces,
                                                carrel("exec", "live", "--", "true")),
                                Action.NOTHING)));
    }

    private Process keeper(Path repository, Path workspaces) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(carrel("exec", "live", "--", "sleep", "600"))
                        .directory(repository.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(bench.environment(workspaces));
        Process keeper = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(keeper::destroy));
        Thread.sleep(3000);
        return keeper;
    }

    private static void requireAlive(Process keeper) {
        if (!keeper.isAlive()) {
            throw new IllegalStateException("the command that keeps the session running has ended");
        }
    }

    private List<String> carrel(String... words) {
        return Workbench.words(List.of(bench.carrel().toString()), words);
    }

    private Contender program(String name, Path in, List<String> argv) {
        return Contender.of(
                name, () -> bench.run(in, bench.directory().resolve("workspaces"), argv));
    }

    private static List<String> hello() {
        return List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Nothing.class.getName());
    }

    private Contender srt(Path repository) throws Exception {
        String name = "srt true";
        Path program = bench.peer("node_modules/.bin/srt");
        if (!Files.isExecutable(program)) {
            return missing(name);
        }
        Path settings = bench.directory().resolve("srt.json");
        Files.writeString(
                settings,
                """
                {"network": {"allowedDomains": [], "deniedDomains": []},
                 "filesystem": {"denyRead": [], "allowWrite": ["."], "denyWrite": []}}
                """);
        List<String> argv = List.of(program.toString(), "-s", settings.toString(), "true");
        return Contender.foreign(name, () -> bench.run(repository, repository, argv));
    }

    private Contender codex(String name, String file, Path repository) {
        Path program = bench.peer(file);
        if (!Files.isExecutable(program)) {
            return missing(name);
        }
        List<String> argv = List.of(program.toString(), "sandbox", "--", "true");
        return Contender.foreign(name, () -> bench.run(repository, repository, argv));
    }

    private static Contender missing(String name) {
        return new Contender.Missing(name, "not on this machine");
    }
}
