package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.system.Installation.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The main job, done by real command lines. */
@Tag("agents")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
class AgentSystemIT {

    private AgentFixture agents;

    @BeforeAll
    void open() throws Exception {
        agents = AgentFixture.open();
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
        String task = task(cli, "goes on");

        Answer first = agents.agent(settings, cli, task, "--json");
        assertThat(first.exit()).as(first.toString()).isZero();
        assertThat(first.out()).contains("\"text\":\"Created foo.txt.\"");
        String session = AgentFixture.text(first.out(), "session");
        assertThat(changes(session)).containsExactly("A\tfoo.txt");
        assertThat(agents.installation.repository().resolve("foo.txt")).doesNotExist();
        assertThat(agents.installation.host("git", "status", "--porcelain").out()).isEmpty();

        String next = "[[say: It is foo.txt.]]";
        String conversation = AgentFixture.text(first.out(), "conversation");
        Answer second =
                agents.agent(
                        settings,
                        cli,
                        next,
                        "--session",
                        session,
                        "--resume",
                        conversation,
                        "--json");
        assertThat(second.exit()).as(second.toString()).isZero();
        assertThat(second.out()).contains("\"text\":\"It is foo.txt.\"");
        assertThat(AgentFixture.text(second.out(), "session")).isEqualTo(session);
        assertThat(agents.models.wasTold(mark(cli, "goes on"), next))
                .as("the model was told what came before")
                .isTrue();
        assertThat(first.toString() + second).doesNotContain(ModelServer.KEY);
    }

    @ParameterizedTest
    @EnumSource
    void asAPlainProcessItWorksOnTheCheckoutAndLeavesTheHomeOfItsCallerAlone(AgentCli cli)
            throws Exception {
        Path home = Files.createDirectory(agents.installation.file("home-" + cli));
        Path checkout = agents.installation.file("checkout-" + cli);
        agents.installation.host("git", "clone", "-q", ".", checkout.toString());
        ProcessBuilder prepared =
                agents.prepared(
                        agents.plainProcesses(),
                        cli,
                        ModelServer.KEY,
                        task(cli, "plain"),
                        "--json");
        prepared.environment().put("HOME", home.toString());

        Answer answer = agents.installation.answer(prepared.directory(checkout.toFile()));

        if (cli == AgentCli.CLAUDE_CODE && Installation.isRoot()) {
            assertThat(answer.err()).contains("claude_code refuses to run as root");
            return;
        }
        assertThat(answer.exit()).as(answer.toString()).isZero();
        assertThat(answer.out()).contains("\"text\":\"Created foo.txt.\"");
        assertThat(checkout.resolve("foo.txt")).content().isEqualToIgnoringNewLines("bar");
        assertThat(
                        agents.installation
                                .host("git", "-C", checkout.toString(), "status", "--porcelain")
                                .out())
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

        Answer answer = agents.agent(settings, cli, task(cli, "denied"), "--json");

        assertThat(answer.exit()).as(answer.toString()).isNotZero();
        assertThat(answer.out()).contains("\"ending\":\"host-not-allowed\"");
        assertThat(answer.err()).contains(cli.host);
        assertThat(agents.models.wasTold(mark(cli, "denied"))).isFalse();
    }

    /** A task with a mark by which its requests are told from those of the other tests. */
    private static String task(AgentCli cli, String test) {
        return "create a file foo.txt with the word bar\n" + mark(cli, test);
    }

    private static String mark(AgentCli cli, String test) {
        return "That was for " + cli + ", " + test + ".";
    }

    private List<String> changes(String session) throws Exception {
        return agents.installation.carrel("diff", session, "--name-status").out().lines().toList();
    }
}
