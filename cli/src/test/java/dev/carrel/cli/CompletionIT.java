package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts as the shells understand them. */
class CompletionIT {

    @TempDir Path scratch = Path.of("/");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "carrel se|session",
                "carrel session l|list",
                "carrel run --se|--session --set",
                "'carrel exec '|calm-otter brave-heron",
                "carrel exec ca|calm-otter",
                "carrel session rm calm-otter b|brave-heron",
                "carrel run --session c|calm-otter",
                "carrel diff calm-otter --na|--name-status",
                "carrel diff calm-otter notes|notes.txt",
            })
    void completesInBash(String line, String expected) throws Exception {
        assertThat(complete(line)).containsExactlyInAnyOrder(expected.split(" "));
    }

    private List<String> complete(String line) throws Exception {
        Files.writeString(scratch.resolve("completion"), Completion.bash());
        Files.writeString(scratch.resolve("notes.txt"), "");
        String script =
                """
                carrel() { echo calm-otter; echo brave-heron; }
                . ./completion
                read -ra COMP_WORDS <<<"$1"
                case $1 in *' ') COMP_WORDS+=('') ;; esac
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _carrel
                printf '%s\\n' "${COMPREPLY[@]}"
                """;
        ProcessResult result =
                new HostProcessRunner()
                        .run(Command.of("bash", "-eu", "-c", script, "bash", line).in(scratch));
        assertThat(result.errorText()).isEmpty();
        return result.outputText().lines().toList();
    }

    @Test
    void isReadByTheShellsThatAreInstalled() throws Exception {
        for (String shell : List.of("bash", "zsh", "fish")) {
            if (Files.isExecutable(Path.of("/usr/bin", shell))) {
                isRead(shell);
            }
        }
    }

    private void isRead(String shell) throws Exception {
        Path script =
                Files.writeString(
                        scratch.resolve("script"),
                        switch (shell) {
                            case "bash" -> Completion.bash();
                            case "zsh" -> Completion.zsh();
                            default -> Completion.fish();
                        });

        ProcessResult result =
                new HostProcessRunner().run(Command.of(shell, "-n", script.toString()));

        assertThat(result.errorText()).isEmpty();
        assertThat(result.succeeded()).isTrue();
    }

    @Test
    void knowsEveryVerb() {
        for (Verbs verb : Verbs.values()) {
            assertThat(Completion.bash()).contains("'" + verb.path());
            assertThat(Completion.fish()).contains(verb.words().getLast());
        }
    }
}
