package dev.carrel.core.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.adapter.Invocation.Conversation;
import dev.carrel.core.failure.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DescribedAdapterTest {

    @TempDir Path folder;

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("agent.yaml"), yaml);
    }

    private AgentAdapter adapter(String yaml) throws IOException {
        return DescribedAdapter.read(file(yaml));
    }

    private static Invocation asking(String prompt) {
        return new Invocation(
                prompt,
                new Conversation.New("id-1"),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                List.of(),
                false);
    }

    private static Invocation resuming(String model) {
        return new Invocation(
                "go on",
                new Conversation.Resumed("c-7", new TokenUsage(10, 0, 1, Optional.empty())),
                Optional.of(model),
                Optional.of("http://127.0.0.1:1"),
                OptionalInt.of(3),
                List.of("-v"),
                false);
    }

    private static AgentReport report(EventParser parser, int exit, String error, String... lines) {
        for (String line : lines) {
            parser.line(line);
        }
        return parser.finish(exit, error);
    }

    @Test
    void theExampleOfTheDocumentationIsRead() {
        AgentAdapter example = DescribedAdapter.read(Path.of("../docs/examples/agent.yaml"));
        assertThat(example.name()).isEqualTo("my_agent");
        assertThat(example.leastMemory()).isEqualTo(512L << 20);
        assertThat(example.service(Optional.empty()))
                .isEqualTo(
                        new AgentAdapter.Service(
                                List.of("api.example.org"), List.of("MY_AGENT_KEY")));
        Launch first = example.launch(asking("hello"));
        assertThat(first.arguments()).containsExactly("run", "--json");
        assertThat(first.environment()).isEqualTo(Map.of("MY_AGENT_TELEMETRY", "off"));
        assertThat(first.input()).isEqualTo("hello");
        assertThat(first.homeFiles())
                .isEqualTo(Map.of(".my-agent/settings.json", "{\"autoUpdate\": false}"));
        Launch second = example.launch(resuming("large"));
        assertThat(second.arguments())
                .containsExactly("run", "--json", "--resume=c-7", "--model", "large", "-v");
        assertThat(second.environment()).containsEntry("MY_AGENT_URL", "http://127.0.0.1:1");
    }

    @Test
    void linesOfJsonAreReadByPointers() {
        AgentAdapter example = DescribedAdapter.read(Path.of("../docs/examples/agent.yaml"));
        EventParser parser = example.parser(resuming("large"));
        List<AgentEvent> events = new ArrayList<>();
        for (String line :
                List.of(
                        "noise",
                        "{\"session\":\"c-8\"}",
                        "{\"message\":{\"text\":\"Working.\"}}",
                        "{\"message\":{\"text\":\"It is done.\"}}",
                        "{\"type\":\"done\",\"usage\":{\"input\":5,\"output\":2}}")) {
            events.addAll(parser.line(line));
        }
        assertThat(events.stream().map(Rendering::of))
                .containsExactly(
                        "started: c-8 -", "text: Working.", "text: It is done.", "used: 5 (0) 2");
        assertThat(Rendering.of(parser.finish(0, "")))
                .containsExactly(
                        "",
                        "failure: none",
                        "answer: It is done.",
                        "conversation: c-8",
                        "model: -",
                        "usage: 5 (0) 2",
                        "totals: 15 (0) 3");
    }

    @Test
    void neitherTheExitNorTheSignIsEnough() {
        AgentAdapter example = DescribedAdapter.read(Path.of("../docs/examples/agent.yaml"));
        String done = "{\"type\":\"done\"}";
        String wrong = "{\"error\":{\"message\":\"invalid api key\"}}";
        assertThat(report(example.parser(asking("a")), 0, "").failure()).isPresent();
        assertThat(report(example.parser(asking("a")), 1, "", done).failure()).isPresent();
        assertThat(report(example.parser(asking("a")), 0, "", done).failure()).isEmpty();
        assertThat(report(example.parser(asking("a")), 0, "", wrong).failure())
                .contains(new AgentFailure(AgentFailure.Kind.AUTHENTICATION, "invalid api key"));
    }

    @Test
    void allOfStandardOutputIsTheAnswerOfASimpleOne() throws IOException {
        EventParser parser = adapter("{name: a, program: b, hosts: []}").parser(asking("hello"));
        AgentReport report = report(parser, 0, "noise", "one", "", "two");
        assertThat(report.failure()).isEmpty();
        assertThat(report.text()).isEqualTo("one\n\ntwo");
    }

    @Test
    void whatASimpleOneSaysLastExplainsItsExit() throws IOException {
        EventParser parser = adapter("{name: a, program: b}").parser(asking("hello"));
        assertThat(report(parser, 3, "starting\nrate limit reached\n").failure())
                .contains(new AgentFailure(AgentFailure.Kind.RATE_LIMIT, "rate limit reached"));
    }

    @Test
    void aPromptOnTheCommandLineCannotPassForAnOption() throws IOException {
        AgentAdapter bare =
                adapter("{name: a, program: b, input: none, arguments: [ask, '{prompt}']}");
        assertThat(bare.launch(asking("hello")).arguments()).containsExactly("ask", "hello");
        assertThatThrownBy(() -> bare.launch(asking("--help")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("begins with a dash");
        assertThat(
                        adapter("{name: a, program: b, input: none, arguments: [--, '{prompt}']}")
                                .launch(asking("--help"))
                                .arguments())
                .containsExactly("--", "--help");
        assertThat(
                        adapter("{name: a, program: b, input: none, arguments: ['-p={prompt}']}")
                                .launch(asking("--help"))
                                .arguments())
                .containsExactly("-p=--help");
    }

    @Test
    void aPromptThatIsTooLongForTheCommandLineIsRefused() throws IOException {
        AgentAdapter bare = adapter("{name: a, program: b, input: none, arguments: ['{prompt}']}");
        assertThatThrownBy(() -> bare.launch(asking("x".repeat(200_000))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at most 131071 bytes");
        assertThat(adapter("{name: a, program: b}").launch(asking("x".repeat(200_000))).input())
                .hasSize(200_000);
    }

    @Test
    void valuesAreNotLookedThroughForPlaceholders() throws IOException {
        AgentAdapter bare = adapter("{name: a, program: b, input: none, arguments: ['{prompt}']}");
        assertThat(bare.launch(asking("what is {model}? $1")).arguments())
                .containsExactly("what is {model}? $1");
    }

    @Test
    void oneThatCannotResumeSaysSo() throws IOException {
        AgentAdapter simple = adapter("{name: a, program: b}");
        assertThatThrownBy(() -> simple.launch(resuming("m")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("a cannot resume a conversation");
    }

    @Test
    void allProblemsAreToldAtOnce() throws IOException {
        Path file =
                file(
                        """
                        nam: x
                        name: My Agent
                        least_memory: lots
                        hosts: [http://a.example/x]
                        key_variables: [A-B]
                        arguments: [run, "{prompt}", ["--m", "{modell}"]]
                        resume_arguments: [run]
                        input: maybe
                        home_files: {../x: y}
                        output: json_lines
                        json:
                          text: message
                          sucess: {pointer: /type, value: done}
                        """);
        assertThatThrownBy(() -> DescribedAdapter.read(file))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong -> {
                            String prefix = file + ":";
                            assertThat(wrong.problems())
                                    .allMatch(problem -> problem.startsWith(prefix));
                            assertThat(
                                            wrong.problems().stream()
                                                    .map(problem ->
                                                            problem.substring(prefix.length())))
                                    .contains(
                                            "1:1: nam: there is no such key; did you mean name?",
                                            "1:1: program: it is missing",
                                            "2:7: name: 'My Agent' is not allowed; use small"
                                                    + " letters, digits and _",
                                            "3:15: least_memory: 'lots' is not allowed; use a size"
                                                    + " such as 512MiB",
                                            "5:16: key_variables: 'A-B' is no name of a variable",
                                            "6:12: arguments: there is no placeholder {modell};"
                                                    + " did you mean {model}?",
                                            "7:19: resume_arguments: {conversation} is missing",
                                            "8:8: input: 'maybe' is not allowed; use prompt or"
                                                    + " none",
                                            "9:13: home_files: '../x' is no path below HOME",
                                            "12:9: json.text: 'message' is no JSON pointer; use"
                                                    + " one such as /message/text",
                                            "13:3: json.sucess: there is no such key; did you"
                                                    + " mean json.success?",
                                            "12:3: json.success: it is missing; use {pointer:"
                                                    + " /type, value: done}")
                                    .anyMatch(problem -> problem.startsWith("4:8: hosts: "));
                        });
    }
}
