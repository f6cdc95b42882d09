package dev.carrel.core.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AdaptersTest {

    private static final Adapters OWN = Adapters.of(Adapters.builtIn());

    @TempDir Path folder;

    @Test
    void thereAreFour() {
        assertThat(OWN.all().stream().map(AgentAdapter::name))
                .containsExactly("claude_code", "codex", "gemini_cli", "opencode");
    }

    @Test
    void oneIsFoundByItsName() {
        assertThat(OWN.find("codex").program()).isEqualTo("codex");
    }

    @Test
    void aMistypedNameIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> OWN.find("claude-code"))
                .isInstanceOf(NotFoundException.class)
                .hasMessage("there is no agent 'claude-code'; did you mean claude_code?");
    }

    @Test
    void aFileAddsOne() throws IOException {
        Path file =
                Files.writeString(folder.resolve("a.yaml"), "{name: fifth, program: fifth-cli}");
        assertThat(Adapters.load(List.of(file)).find("fifth").program()).isEqualTo("fifth-cli");
    }

    @Test
    void aNameThatIsThereTwiceNamesBothPlaces() throws IOException {
        Path file = Files.writeString(folder.resolve("a.yaml"), "{name: codex, program: x}");
        assertThatThrownBy(() -> Adapters.load(List.of(file)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("two agents have the name codex")
                .hasMessageContaining(Codex.class.getName())
                .hasMessageContaining(file.toString());
    }

    @Test
    void opencodeAsksTheServiceOfItsModel() {
        AgentAdapter opencode = OWN.find("opencode");
        assertThat(opencode.service(Optional.empty()).keyVariables())
                .containsExactly("ANTHROPIC_API_KEY");
        assertThat(opencode.service(Optional.of("openai/gpt-5.5")).hosts())
                .containsExactly("api.openai.com");
        assertThat(opencode.service(Optional.of("gemini-2.5-flash")).hosts())
                .containsExactly("generativelanguage.googleapis.com");
        assertThat(opencode.service(Optional.of("local/llama")))
                .isEqualTo(new AgentAdapter.Service(List.of(), List.of("LOCAL_API_KEY")));
        assertThatThrownBy(() -> opencode.service(Optional.of("llama")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("whose model 'llama' is");
    }

    @Test
    void opencodeAloneRunsCodeOfTheRepositoryInAnyCase() {
        for (AgentAdapter adapter : OWN.all()) {
            assertThat(adapter.codeInRepository().isEmpty())
                    .isEqualTo(!adapter.name().equals("opencode"));
        }
    }

    @Test
    void theWrapperOfCodexLeadsToTheNativeProgram() throws IOException {
        for (String place :
                List.of("codex/node_modules/@openai/codex-linux-x64", "codex-linux-x64", "codex")) {
            Path scope = Files.createTempDirectory(folder, "scope");
            Path wrapper = scope.resolve("codex/bin/codex.js");
            Files.createDirectories(wrapper.getParent());
            Files.writeString(wrapper, "#!/usr/bin/env node\n");
            assertThat(OWN.find("codex").executable(wrapper)).isEqualTo(wrapper);
            Path program =
                    scope.resolve(place).resolve("vendor/x86_64-unknown-linux-musl/bin/codex");
            Files.createDirectories(program.getParent());
            Files.writeString(program, "");
            assertThat(program.toFile().setExecutable(true)).isTrue();
            assertThat(OWN.find("codex").executable(wrapper)).isEqualTo(program);
        }
    }
}
