package dev.carrel.core.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.adapter.Invocation.Conversation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the documentation, with a shell script as the agent. */
final class DescribedAdapterIT {

    private static final String SCRIPT =
            """
            read -r prompt
            echo "not JSON: $*"
            echo '{"session":"s-1"}'
            echo "{\\"message\\":{\\"text\\":\\"You said: $prompt\\"}}"
            echo '{"type":"done","usage":{"input":3,"output":4}}'
            """;

    @TempDir Path folder;

    @Test
    void anAgentThatIsDescribedIsRunAndUnderstood() throws IOException, InterruptedException {
        AgentAdapter adapter = DescribedAdapter.read(Path.of("../docs/examples/agent.yaml"));
        Invocation call =
                new Invocation(
                        "--hello",
                        new Conversation.New("id"),
                        Optional.of("large"),
                        Optional.empty(),
                        OptionalInt.empty(),
                        List.of(),
                        false);
        Launch launch = adapter.launch(call);
        List<String> command = new ArrayList<>(List.of("sh", script().toString()));
        command.addAll(launch.arguments());
        Process process = new ProcessBuilder(command).start();
        try (var input = process.outputWriter(UTF_8)) {
            input.write(launch.input() + "\n");
        }
        EventParser parser = adapter.parser(call);
        process.inputReader(UTF_8).lines().forEach(parser::line);
        AgentReport report = parser.finish(process.waitFor(), "");
        assertThat(Rendering.of(report))
                .containsExactly(
                        "",
                        "failure: none",
                        "answer: You said: --hello",
                        "conversation: s-1",
                        "model: -",
                        "usage: 3 (0) 4",
                        "totals: 3 (0) 4");
    }

    private Path script() throws IOException {
        return Files.writeString(folder.resolve("my-agent"), SCRIPT);
    }
}
