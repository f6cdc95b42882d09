package dev.carrel.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.process.HostProcessRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySourceIT {

    private static final List<String> NAMES = List.of("FIRST_KEY", "SECOND_KEY");

    @TempDir Path directory;

    private static Backend backend(Optional<Path> file, Optional<String> command) {
        Backend none = Backend.DEFAULT;
        return new Backend(
                true,
                none.program(),
                none.model(),
                none.allowedEgress(),
                none.baseUrl(),
                none.memory(),
                none.timeout(),
                none.environment(),
                none.extraArguments(),
                none.maxTurns(),
                file,
                command,
                false,
                none.adapter());
    }

    private static Optional<Credentials> find(Backend backend, Map<String, String> environment)
            throws InterruptedException {
        return new KeySource(new HostProcessRunner(), environment).find("x", backend, NAMES);
    }

    private Path file(String text, String permissions) throws Exception {
        Path file = Files.writeString(directory.resolve("key"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void theCallersVariablesAreTakenAsTheyAre() throws Exception {
        Backend nothing = backend(Optional.empty(), Optional.empty());
        assertThat(find(nothing, Map.of("SECOND_KEY", "abcdefgh", "OTHER", "x")).orElseThrow())
                .satisfies(found -> {
                    assertThat(found.variables())
                            .containsExactly(Map.entry("SECOND_KEY", "abcdefgh"));
                    assertThat(found.toString()).doesNotContain("abcdefgh");
                });
        assertThat(find(nothing, Map.of("FIRST_KEY", " "))).isEmpty();
    }

    @Test
    void aFileForItsOwnerAloneGivesTheKey() throws Exception {
        Backend good = backend(Optional.of(file("the-key-1234\n", "rw-------")), Optional.empty());
        assertThat(find(good, Map.of("SECOND_KEY", "other")).orElseThrow().variables())
                .containsExactly(Map.entry("FIRST_KEY", "the-key-1234"));
    }

    @Test
    void aFileThatOthersReadIsRefusedWithTheCure() throws Exception {
        Backend open = backend(Optional.of(file("the-key-1234\n", "rw-r-----")), Optional.empty());
        assertThatThrownBy(() -> find(open, Map.of()))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong -> {
                            assertThat(wrong).hasMessageContaining("x.key_file");
                            assertThat(wrong.remedy().orElseThrow()).startsWith("chmod 600 ");
                            assertThat(wrong).hasMessageNotContaining("the-key-1234");
                        });
        Backend missing = backend(Optional.of(directory.resolve("no")), Optional.empty());
        assertThatThrownBy(() -> find(missing, Map.of()))
                .hasMessageContaining("there is no such file");
    }

    @Test
    void aCommandGivesTheKeyAndNothingOfItIsTold() throws Exception {
        Backend good = backend(Optional.empty(), Optional.of("printf '%s\\n' \"$PART\"-1234"));
        assertThat(
                        find(good, Map.of("PART", "the-key", "PATH", "/usr/bin:/bin"))
                                .orElseThrow()
                                .variables())
                .containsExactly(Map.entry("FIRST_KEY", "the-key-1234"));
        Backend bad =
                backend(
                        Optional.empty(),
                        Optional.of("echo the-key-1234; echo locked >&2; exit 3"));
        assertThatThrownBy(() -> find(bad, Map.of()))
                .hasMessageContaining("exit status 3: locked")
                .hasMessageNotContaining("the-key-1234");
        Backend empty = backend(Optional.empty(), Optional.of("true"));
        assertThatThrownBy(() -> find(empty, Map.of())).hasMessageContaining("has to give a key");
        Backend both = backend(Optional.of(directory), Optional.of("true"));
        assertThatThrownBy(() -> find(both, Map.of())).hasMessageContaining("exclude each other");
    }
}
