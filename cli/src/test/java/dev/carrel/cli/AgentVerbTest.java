package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.adapter.AgentFailure;
import dev.carrel.core.agent.AgentEnding;
import dev.carrel.core.agent.AgentRequest;
import dev.carrel.core.agent.AgentStatus;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.process.StandardStream;
import dev.carrel.core.session.SessionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentVerbTest {

    private final FakeProgram program = new FakeProgram();
    private final FakeAgents agents = program.sessions.agents;

    private int carrel(String... words) {
        return program.carrel(words);
    }

    private AgentRequest asked() {
        assertThat(agents.asked).hasSize(1);
        return agents.asked.getFirst();
    }

    @Test
    void theAnswerAloneIsOnStandardOutput() {
        assertThat(carrel("agent", "codex", "do it")).isZero();

        assertThat(program.out()).isEqualTo("Created foo.txt.\n");
        assertThat(asked().backend()).isEqualTo("codex");
        assertThat(asked().prompt()).isEqualTo("do it");
        assertThat(asked().retain()).isEmpty();
        assertThat(agents.closed).isTrue();
    }

    @Test
    void optionsReachTheRequest() {
        carrel(
                "agent",
                "codex",
                "--resume",
                "c-0",
                "--model",
                "m",
                "--memory",
                "3G",
                "--timeout",
                "9m",
                "--allow",
                "a.example",
                "--keep",
                "go on");

        AgentRequest request = asked();
        assertThat(request.prompt()).isEqualTo("go on");
        assertThat(request.resume()).contains("c-0");
        assertThat(request.model()).contains("m");
        assertThat(request.limits().memory()).hasValue(3L << 30);
        assertThat(request.limits().wallClock()).contains(Duration.ofMinutes(9));
        assertThat(request.egress()).containsExactly("a.example");
        assertThat(request.retain()).contains(Retain.ALWAYS);
        assertThat(request.workspace().policy().limits().memory())
                .as("the session itself has no limit of one run")
                .isEmpty();
    }

    @Test
    void aResultInJsonHasWhatProgramsNeed() {
        agents.events.add(new AgentEvent.Denied("evil.example", 443, "no rule", Optional.empty()));

        assertThat(carrel("agent", "codex", "do it", "--json")).isZero();

        assertThat(program.out())
                .startsWith(
                        "{\"type\":\"result\",\"backend\":\"codex\",\"tier\":1,\"ending\":\"success\"")
                .contains("\"conversation\":\"c-1\"", "\"input\":10", "\"session\":\"calm-otter\"")
                .contains("{\"repo\":\"app\",\"path\":\"foo.txt\",\"change\":\"added\"}")
                .contains("{\"host\":\"evil.example\",\"port\":443,\"reason\":\"no rule\"}")
                .hasLineCount(1);
    }

    @Test
    void aStreamHasOneObjectForEachEventAndTheResultLast() {
        agents.events.add(new AgentEvent.ToolCall("1", "Bash", "{\"command\":\"ls\"}"));
        agents.events.add(new AgentEvent.Text("hi\nthere", false));

        carrel("agent", "codex", "do it", "--stream-json");

        assertThat(program.out().lines())
                .hasSize(3)
                .startsWith(
                        "{\"type\":\"tool-call\",\"id\":\"1\",\"tool\":\"Bash\",\"input\":\"{\\\"command\\\":\\\"ls\\\"}\"}",
                        "{\"type\":\"text\",\"text\":\"hi\\u000athere\",\"piece\":false}");
    }

    @Test
    void eachEndingHasItsExitCodeAndSaysWhatToDo() {
        agents.ending = new AgentEnding.TimedOut(Duration.ofSeconds(5), "the.setting");
        assertThat(carrel("agent", "codex", "x")).isEqualTo(124);
        assertThat(program.err()).contains("ended after 5 s", "fix: Give it more: the.setting");
        agents.ending = new AgentEnding.ProgramMissing("no codex", "Install it");
        assertThat(carrel("agent", "codex", "x")).isEqualTo(127);
        agents.ending = new AgentEnding.OutOfMemory(1 << 30, "m");
        assertThat(carrel("agent", "codex", "x")).isEqualTo(137);
        agents.ending = new AgentEnding.Cancelled();
        assertThat(carrel("agent", "codex", "x")).isEqualTo(130);
        agents.ending =
                new AgentEnding.Failed(
                        new AgentFailure(AgentFailure.Kind.AGENT, "it broke\u001b[2J"));
        assertThat(carrel("agent", "codex", "x")).isEqualTo(1);
        assertThat(program.err()).contains("it broke\\u001b[2J");
    }

    @Test
    void anInterruptedRunHasAResultToo() {
        agents.interruptedIn = Optional.of(new SessionId("calm-otter"));
        program.terminals.add(StandardStream.ERROR);
        program.sessions.ids.add("calm-otter");
        assertThat(carrel("agent", "codex", "x", "--json")).isEqualTo(130);
        assertThat(program.out())
                .isEqualTo(
                        "{\"type\":\"result\",\"backend\":\"codex\",\"ending\":\"cancelled\","
                                + "\"message\":\"the agent was ended before it was done\",\"session\":\"calm-otter\","
                                + "\"kept\":true}\n");
        assertThat(program.err()).contains("carrel session show calm-otter");

        agents.interruptedIn = Optional.of(new SessionId("removed-otter"));
        carrel("agent", "codex", "x", "--stream-json");
        assertThat(program.out()).contains("\"kept\":false");
        assertThat(program.err()).doesNotContain("session show");
    }

    @Test
    void appliesOnlyWhatSucceeded() {
        carrel("agent", "codex", "x", "--apply");
        assertThat(program.sessions.applied).isEqualTo(1);
        agents.ending = new AgentEnding.RateLimited("slow down");
        carrel("agent", "codex", "x", "--apply");
        assertThat(program.sessions.applied).isEqualTo(1);
    }

    @Test
    void optionsThatExcludeEachOtherAreNamed() {
        assertThat(carrel("agent", "codex", "x", "--apply", "--discard")).isEqualTo(2);
        assertThat(carrel("agent", "codex", "x", "--json", "--stream-json")).isEqualTo(2);
        assertThat(carrel("agent", "codex", "x", "--session", "calm", "--repo", ".")).isEqualTo(2);
        assertThat(carrel("agent", "codex", "x", "--session", "calm", "--discard")).isEqualTo(2);
        assertThat(program.err()).contains("carrel session rm");
        assertThat(carrel("agent", "codex", " ")).isEqualTo(2);
        assertThat(agents.asked).isEmpty();
    }

    @Test
    void whatIsOnlyOfSessionsIsNotForPlainProcesses(@TempDir Path folder) throws Exception {
        Path settings =
                Files.writeString(
                        folder.resolve("carrel.yaml"),
                        "external_agent: {default_sandbox_tier: 0}\n");
        program.environment.put("CARREL_CONFIG", settings.toString());

        for (String[] words :
                List.of(
                        new String[] {"--name", "n"},
                        new String[] {"--set", "sandbox.seccomp=off"},
                        new String[] {"--no-uncommitted"},
                        new String[] {"--discard"})) {
            List<String> line = new ArrayList<>(List.of("agent", "codex", "x"));
            line.addAll(List.of(words));
            assertThat(carrel(line.toArray(String[]::new))).as(line.toString()).isEqualTo(2);
            assertThat(program.err()).contains(words[0], "default_sandbox_tier: 0");
        }
        assertThat(agents.asked).isEmpty();
        assertThat(carrel("agent", "codex", "x", "--repo", ".", "--keep")).isZero();
        assertThat(agents.asked).hasSize(1);
    }

    @Test
    void listsWhatThereIs() {
        agents.all.add(
                new AgentStatus(
                        "codex",
                        true,
                        Optional.of(Path.of("/opt/codex")),
                        "npm install -g @openai/codex",
                        Optional.of("codex-cli 1.2"),
                        List.of("1.1"),
                        Optional.empty(),
                        List.of("CODEX_API_KEY"),
                        Tier.SANDBOX,
                        List.of("api.openai.com")));

        assertThat(carrel("agent", "list")).isZero();
        assertThat(program.out())
                .contains("program: /opt/codex, codex-cli 1.2")
                .contains("key:     none; set CODEX_API_KEY")
                .contains("reaches: api.openai.com");
        carrel("agent", "list", "--json");
        assertThat(program.out()).contains("\"installed\":true", "\"tier\":1");
    }
}
