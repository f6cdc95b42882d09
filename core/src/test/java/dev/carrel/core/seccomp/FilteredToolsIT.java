package dev.carrel.core.seccomp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Normal work goes on under the filter: everything that this machine has of a list of tools. */
final class FilteredToolsIT {

    private static final List<SeccompMode> MODES =
            List.of(SeccompMode.DEFAULT, SeccompMode.ENFORCE, SeccompMode.LOG);

    /** A program and a script that prints "fine" when it worked. */
    record Tool(String name, Path program, String script) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> tools() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return Stream.of(
                        tool("sh", "shell.sh"),
                        tool("git", "git.sh"),
                        tool("perl", "perl.sh"),
                        tool("gcc", "gcc.sh"),
                        tool("node", "node.sh"),
                        tool("python3", "python.sh"),
                        Optional.of(new Tool("java", java, "java.sh")))
                .flatMap(Optional::stream)
                .flatMap(tool -> MODES.stream().map(mode -> Arguments.of(tool, mode)));
    }

    private static Optional<Tool> tool(String name, String script) {
        return Stream.of("/usr/bin", "/bin", "/usr/local/bin")
                .map(directory -> Path.of(directory, name))
                .filter(java.nio.file.Files::isExecutable)
                .findFirst()
                .map(program -> new Tool(name, program, script));
    }

    @ParameterizedTest
    @MethodSource("tools")
    void worksAsOutside(Tool tool, SeccompMode mode, @TempDir Path directory) throws Exception {
        Requirements.bwrap();
        String script = KernelProbe.resource("tools/" + tool.script());
        if (tool.name().equals("java")) {
            copyJavaTool(directory);
        }
        ProcessResult result =
                FilteredSandbox.of(mode, directory)
                        .run(
                                script.getBytes(UTF_8),
                                List.of("/bin/sh", "-eus", tool.program().toString()));
        assertThat(result.outputText().strip())
                .as("exit %d, %s", result.exit(), result.errorText())
                .isEqualTo("fine");
        assertThat(result.exit()).isZero();
    }

    /** Compiled with the tests: to do it in the sandbox takes longer than all the rest. */
    private static void copyJavaTool(Path directory) throws IOException {
        String name = JavaTool.class.getName().replace('.', '/') + ".class";
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        try (InputStream compiled =
                JavaTool.class.getResourceAsStream(JavaTool.class.getSimpleName() + ".class")) {
            Files.copy(Objects.requireNonNull(compiled), file);
        }
    }
}
