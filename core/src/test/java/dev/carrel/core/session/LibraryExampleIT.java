package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the user guide; both compiled at once, as that takes most of their time. */
class LibraryExampleIT {

    private static final Path EXAMPLES = Path.of("../docs/examples");

    @TempDir private static Path classes;

    /** Stands for a real command line: prints what that prints, and writes a file. */
    private static final String CODEX =
            """
            #!/bin/sh
            cat >task.txt
            echo '{"type":"thread.started","thread_id":"t-1"}'
            echo '{"type":"turn.started"}'
            echo '{"type":"item.completed","item":{"id":"i-1","type":"agent_message","text":"ok"}}'
            echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'
            """;

    private SessionFixture fixture;

    @BeforeAll
    static void compile() throws Exception {
        String javac = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                javac,
                                "-J-XX:TieredStopAtLevel=1",
                                "-J-XX:+UseSerialGC",
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                "-cp",
                                classPath(ChildJvm.command(EXAMPLES))));
        for (String name : List.of("AgentTools.java", "AgentTasks.java")) {
            command.add(EXAMPLES.resolve(name).toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private static String classPath(List<String> command) {
        return command.get(command.indexOf("-cp") + 1);
    }

    /** As another program that has the library on its class path, and the example beside it. */
    private ProcessBuilder example(String name, String... arguments) {
        List<String> command = new ArrayList<>(ChildJvm.command(LibraryExampleIT.class, arguments));
        String library = classPath(command);
        command.replaceAll(word -> word.equals(library) ? library + ":" + classes : word);
        command.replaceAll(word -> word.equals(LibraryExampleIT.class.getName()) ? name : word);
        ProcessBuilder java = new ProcessBuilder(command);
        java.environment().put("CARREL_WORKSPACES", fixture.state.toString());
        java.environment().put("CARREL_BWRAP", fixture.settings.environment().get("CARREL_BWRAP"));
        return java;
    }

    @BeforeEach
    void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    @Test
    void theExampleEditsRunsAndTakes() throws Exception {
        Path repository = fixture.git("app");
        Path output = fixture.base.resolve("output");
        ProcessBuilder java = example("AgentTools", repository.toString());
        java.redirectOutput(output.toFile());
        java.redirectError(fixture.base.resolve("events").toFile());
        int exit = java.start().waitFor();

        assertThat(exit).as(Files.readString(fixture.base.resolve("events"))).isZero();
        assertThat(Files.readString(output, UTF_8))
                .isEqualTo(
                        """
                        /workspace/app/src/greeting.txt:1: hello carrel
                        hello carrel
                        on the host it would be %s/src/greeting.txt
                        exit 0, exited: 13
                        would write app/src
                        would write app/src/greeting.txt
                        """
                                .formatted(repository));
        assertThat(repository.resolve("src/greeting.txt")).hasContent("hello carrel\n");
        assertThat(Files.readString(fixture.base.resolve("events")))
                .contains("CommandEnded[session=")
                .doesNotContain("warning");
        assertThat(fixture.sessions.list()).isEmpty();
    }

    @Test
    void theExampleGivesTasksToSeveralAgentsAtOnce() throws Exception {
        Path repository = fixture.git("app");
        // A session has a /tmp of its own.
        Path bin = Files.createTempDirectory(Path.of("/var/tmp"), "carrel-example");
        Files.setPosixFilePermissions(bin, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path codex = Files.writeString(bin.resolve("codex"), CODEX);
        Files.setPosixFilePermissions(codex, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path output = fixture.base.resolve("output");
        ProcessBuilder java = example("AgentTasks", "codex", repository.toString(), "one", "two");
        java.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        java.environment().put("CODEX_API_KEY", "key-of-an-example");
        java.redirectOutput(output.toFile());
        java.redirectError(fixture.base.resolve("events").toFile());
        int exit = java.start().waitFor();

        assertThat(exit).as(Files.readString(fixture.base.resolve("events"))).isZero();
        assertThat(Files.readAllLines(output))
                .hasSize(6)
                .contains("success: done", "ADDED task.txt")
                .filteredOn(line -> line.startsWith("session "))
                .hasSize(2)
                .doesNotHaveDuplicates();
        assertThat(repository.resolve("task.txt")).doesNotExist();
        Files.delete(codex);
        Files.delete(bin);
    }
}
