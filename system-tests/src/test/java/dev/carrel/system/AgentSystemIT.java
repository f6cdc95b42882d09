package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.system.Installation.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The main job, done by real command lines. */
@Tag("agents")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentSystemIT {

    private static final String TASK = "create a file foo.txt with the word bar";

    private AgentFixture agents;

    @BeforeAll
    void open() throws Exception {
        agents = AgentFixture.open();
    }

    @AfterEach
    void clean() throws Exception {
        agents.installation.host("git", "clean", "-fdq");
    }

    @AfterAll
    void close() throws Exception {
        if (agents != null) {
            agents.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatItWritesIsAmongTheChangesAndItsConversationGoesOn(AgentCli cli) throws Exception {
        Path settings = agents.sessions();

        Answer first = agents.agent(settings, cli, TASK, "--json");
        assertThat(first.exit()).as(first.toString()).isZero();
        assertThat(first.out()).contains("\"text\":\"Created foo.txt.\"");
        String session = AgentFixture.text(first.out(), "session");
        assertThat(changes(session)).containsExactly("A\tfoo.txt");
        assertThat(agents.installation.repository().resolve("foo.txt")).doesNotExist();
        assertThat(agents.installation.host("git", "status", "--porcelain").out()).isEmpty();

        int before = agents.models.requests();
        Answer second =
                agents.agent(
                        settings,
                        cli,
                        "[[say: It is foo.txt.]]",
                        "--session",
                        session,
                        "--resume",
                        AgentFixture.text(first.out(), "conversation"),
                        "--json");
        assertThat(second.exit()).as(second.toString()).isZero();
        assertThat(second.out()).contains("\"text\":\"It is foo.txt.\"");
        assertThat(AgentFixture.text(second.out(), "session")).isEqualTo(session);
        assertThat(agents.models.wasToldSince(before, TASK, "[[say: It is foo.txt.]]"))
                .as("the model was told what came before")
                .isTrue();
        assertThat(first.toString() + second).doesNotContain(ModelServer.KEY);
    }

    @ParameterizedTest
    @EnumSource
    void asAPlainProcessItWorksOnTheCheckoutAndLeavesTheHomeOfItsCallerAlone(AgentCli cli)
            throws Exception {
        Path home = Files.createDirectories(agents.installation.file("home"));
        ProcessBuilder prepared =
                agents.prepared(agents.plainProcesses(), cli, ModelServer.KEY, TASK, "--json");
        prepared.environment().put("HOME", home.toString());

        Answer answer = agents.installation.answer(prepared);

        if (cli == AgentCli.CLAUDE_CODE && Installation.isRoot()) {
            assertThat(answer.err()).contains("claude_code refuses to run as root");
            return;
        }
        assertThat(answer.exit()).as(answer.toString()).isZero();
        assertThat(answer.out()).contains("\"text\":\"Created foo.txt.\"");
        assertThat(agents.installation.repository().resolve("foo.txt"))
                .content()
                .isEqualToIgnoringNewLines("bar");
        assertThat(agents.installation.host("git", "status", "--porcelain").out())
                .isEqualTo("?? foo.txt\n");
        try (Stream<Path> left = Files.list(home)) {
            assertThat(left).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHostThatItMayNotReachIsNamedAtOnce(AgentCli cli) throws Exception {
        Path settings =
                agents.sessions(
                        "external_agent:",
                        "  backends:",
                        "    " + cli.backend + ":",
                        "      allowed_egress: [other.example.org]");
        int before = agents.models.requests();

        Answer answer = agents.agent(settings, cli, TASK, "--json");

        assertThat(answer.exit()).as(answer.toString()).isNotZero();
        assertThat(answer.out()).contains("\"host-not-allowed\"");
        assertThat(answer.err()).contains(cli.host);
        assertThat(agents.models.requestsSince(before)).isEmpty();
    }

    private List<String> changes(String session) throws Exception {
        return agents.installation.carrel("diff", session, "--name-status").out().lines().toList();
    }
}
