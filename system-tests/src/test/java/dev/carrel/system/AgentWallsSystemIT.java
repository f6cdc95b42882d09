package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.system.Installation.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What holds an agent in a session, tried with scripts in the place of one. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentWallsSystemIT {

    private static final String DONE =
            "echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
                    + "\"result\":\"Done.\"}'\n";

    private Installation installation;

    @BeforeAll
    void open() throws Exception {
        installation = Installation.open();
        installation.needs("socat");
    }

    @AfterAll
    void close() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    @Test
    void whatItWritesLandsInTheUpperDirectoryAndNotInTheRepository() throws Exception {
        Answer answer =
                agent("writes", "echo written >/workspace/app/test.txt && rm README\n" + DONE);

        assertThat(answer.exit()).as(answer.toString()).isZero();
        assertThat(answer.out()).contains("\"text\":\"Done.\"");
        String id = AgentFixture.text(answer.out(), "session");
        Path upper =
                installation.file("workspaces/sessions/" + id + "/repos/app/gen/1/upper/test.txt");
        assertThat(upper).content().isEqualTo("written\n");
        assertThat(installation.carrel("diff", id, "--name-status").out())
                .isEqualTo("D\tREADME\nA\ttest.txt\n");
        assertThat(installation.host("git", "status", "--porcelain", "--ignored").out()).isEmpty();
    }

    @Test
    void aHostThatIsNotAllowedIsNotReached() throws Exception {
        installation.needs("curl");
        Answer answer =
                agent(
                        "calls",
                        "curl -sS -m 20 https://not-allowed.example.org/ 2>said; echo $? >exit\n"
                                + DONE);

        assertThat(answer.exit()).as(answer.toString()).isZero();
        String id = AgentFixture.text(answer.out(), "session");
        assertThat(installation.carrel("diff", id).out())
                .contains("+56\n")
                .contains("CONNECT tunnel failed, response 403");
        assertThat(answer.err()).contains("egress to not-allowed.example.org:443 was denied");
        assertThat(installation.carrel("egress", id, "log").out())
                .contains("not-allowed.example.org:443  denied");
    }

    @Test
    void whatIsAboveItsCapIsTakenBackAndSaidToBeMemory() throws Exception {
        assertTakenBack(agentSetTo("memory: 512M, ", "allocates", allocates("1G")), "512M");
    }

    /** By the usual cap; where memory is dear, it takes long. */
    @Test
    @Tag("agents-matrix")
    void fourGibibytesUnderTheUsualCapOfTwoAreTakenBack() throws Exception {
        assertTakenBack(agent("allocates-much", allocates("4G")), "2G");
    }

    private static String allocates(String size) {
        return "dd if=/dev/zero of=/dev/null bs="
                + size
                + " count=1 iflag=fullblock || exit\n"
                + DONE;
    }

    private static void assertTakenBack(Answer answer, String cap) {
        assertThat(answer.exit()).as(answer.toString()).isNotZero();
        assertThat(answer.out()).contains("\"out-of-memory\"");
        assertThat(answer.err()).contains("more memory than " + cap);
    }

    @Test
    void whatSucceededIsAppliedAndWhatFailedOrIsDiscardedIsNot() throws Exception {
        Answer failed = agent("fails", "echo x >failed.txt; exit 3\n", "--apply");
        assertThat(failed.exit()).isEqualTo(1);
        Answer discarded = agent("discards", "echo x >discarded.txt\n" + DONE, "--discard");
        assertThat(discarded.exit()).as(discarded.toString()).isZero();
        assertThat(discarded.out()).contains("\"kept\":false");
        assertThat(installation.host("git", "status", "--porcelain").out()).isEmpty();

        Answer applied = agent("applies", "echo x >applied.txt\n" + DONE, "--apply");
        assertThat(applied.exit()).as(applied.toString()).isZero();
        assertThat(applied.out()).hasLineCount(1).contains("\"ending\":\"success\"");
        assertThat(installation.host("git", "status", "--porcelain").out())
                .isEqualTo("?? applied.txt\n");
        installation.host("rm", "applied.txt");
    }

    /** A run of a script where a backend's program is named by the settings. */
    private Answer agent(String name, String script, String... options) throws Exception {
        return agentSetTo("", name, script, options);
    }

    /** With more settings of its backend. */
    private Answer agentSetTo(String set, String name, String script, String... options)
            throws Exception {
        // In a directory of its own, which the session shows.
        Path program = Files.createDirectory(installation.file(name)).resolve("agent");
        Files.writeString(program, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path settings =
                Files.writeString(
                        installation.file(name + ".yaml"),
                        "external_agent: {backends: {claude_code: {"
                                + set
                                + "program: "
                                + program
                                + "}}}\n");
        List<String> words =
                new ArrayList<>(
                        List.of(
                                Installation.program(),
                                "agent",
                                "claude_code",
                                "anything",
                                "--json"));
        words.addAll(List.of(options));
        ProcessBuilder prepared = installation.prepared(words.toArray(String[]::new));
        prepared.environment().put("CARREL_CONFIG", settings.toString());
        prepared.environment().put("ANTHROPIC_API_KEY", ModelServer.KEY);
        return installation.answer(prepared);
    }
}
