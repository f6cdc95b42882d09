package dev.carrel.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.SessionSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file may say of the network. */
class EgressComplaintsTest {

    @TempDir Path directory;
    private SettingsFiles files;
    private Path repository;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        repository = files.repository("src/app");
    }

    private EgressPolicy loaded() {
        return SessionSettings.of(files.load(repository).settings()).sandbox().network().egress();
    }

    @Test
    void whatAFileSaysReachesTheSession() {
        files.write(
                "src/carrel.yaml",
                """
                egress:
                  allow: [Example.ORG., "*.example.net:8443", "tcp://db.example.org:5432"]
                  deny: [10.0.0.0/8]
                  hosts: {db.example.org: 192.0.2.7}
                  upstream: environment
                  host_ports: [5432, 8080.0]
                """);
        EgressPolicy egress = loaded();

        assertThat(egress.rules().allow())
                .extracting(Object::toString)
                .containsExactly("example.org", "*.example.net:8443", "tcp://db.example.org:5432");
        assertThat(egress.rules().deny()).hasToString("[10.0.0.0/8]");
        assertThat(egress.hosts()).hasToString("{db.example.org=192.0.2.7}");
        assertThat(egress.upstream()).contains("environment");
        assertThat(egress.hostPorts()).containsExactly(5432, 8080);
    }

    /** A start is refused for a wrong key, type, or rule, each with its place, all at once. */
    @Test
    void everythingWrongIsSaidAtItsPlaceAndNothingStarts() {
        files.write(
                "src/carrel.yaml",
                """
                egress:
                  alow: [example.org]
                  allow:
                    - "*.com"
                    - a.example.org
                    - https://example.org/
                  deny: ["*.example.org", 10.0.0.0/33]
                  hosts: {db.example.org: nowhere}
                  upstream: ftp://me:secret@proxy.example.org
                  host_ports: [80, x]
                sandbox:
                  unshare_net: nope
                """);
        List<String> problems = files.problems(repository);

        assertThat(problems)
                .anyMatch(text ->
                        text.startsWith("src/carrel.yaml:2:3: egress.alow: ")
                                && text.contains("did you mean egress.allow?"))
                .anyMatch(text ->
                        text.startsWith("src/carrel.yaml:4:7: egress.allow: the rule '*.com': "))
                .contains(
                        "src/carrel.yaml:5:7: egress.allow: the rule 'a.example.org' can never match:"
                                + " '*.example.org' denies all of it")
                .anyMatch(text ->
                        text.startsWith("src/carrel.yaml:6:7: egress.allow: the rule 'https://"))
                .anyMatch(text ->
                        text.startsWith(
                                "src/carrel.yaml:7:27: egress.deny: the rule '10.0.0.0/33'"))
                .contains("src/carrel.yaml:8:27: egress.hosts: 'nowhere' is not an IP address")
                .anyMatch(text -> text.startsWith("src/carrel.yaml:9:13: egress.upstream: "))
                .anyMatch(text ->
                        text.startsWith("src/carrel.yaml:10:16: egress.host_ports[0]: '80' is not"))
                .anyMatch(text ->
                        text.startsWith("src/carrel.yaml:10:20: egress.host_ports[1]: 'x' is not"))
                .anyMatch(text ->
                        text.startsWith("src/carrel.yaml:12:16: sandbox.unshare_net: 'nope'"))
                .hasSize(10)
                .noneMatch(text -> text.contains("secret"));
        assertThatThrownBy(() -> files.load(repository))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong -> assertThat(wrong.problems()).hasSize(10));
    }

    @Test
    void whatIsWiderThanItLooksIsAWarning() {
        files.write("src/carrel.yaml", "egress: {allow: ['*.github.io']}\n");

        assertThat(files.load(repository).problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(Problem.Kind.WARNING);
                    assertThat(problem.at()).hasToString("1:18");
                });
    }

    @Test
    void aListBesideTheWholeNetworkOfTheHostIsAnError() {
        String shared = "sandbox: {unshare_net: false}\n";
        files.write("src/carrel.yaml", shared + "egress: {allow: [example.org]}\n");
        assertThatThrownBy(() -> files.load(repository))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong ->
                                assertThat(wrong.problems())
                                        .singleElement()
                                        .asString()
                                        .contains("carrel.yaml:1:24: sandbox.unshare_net: false"));

        files.write("src/carrel.yaml", shared + "egress: {deny: [example.org], allow: []}\n");
        assertThat(files.load(repository).problems()).isEmpty();
    }

    @Test
    void whatARepositoryDeniesEntirelyIsNotAllowedAnyMore() {
        files.write("src/carrel.yaml", "egress: {allow: [a.example.org, example.net]}\n");
        files.write("src/app/carrel.yaml", "egress: {deny: ['*.example.org']}\n");

        assertThat(loaded().rules().allow()).hasToString("[example.net]");
        assertThat(files.load(repository).problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(Problem.Kind.WARNING);
                    assertThat(problem.file()).endsWith(Path.of("src/app/carrel.yaml"));
                    assertThat(problem.text()).contains("'a.example.org' can never match");
                });
    }

    @Test
    void aPasswordIsNeverShown() {
        files.write(
                "src/carrel.yaml",
                "egress: {upstream: 'http://me:secret@proxy.example.org:3128'}\n");
        files.write(
                "src/app/carrel.yaml",
                "egress: {upstream: 'http://you:secret@other.example.org:1'}\n");
        Configuration configuration = files.load(repository);

        assertThat(loaded().upstream()).contains("http://me:secret@proxy.example.org:3128");
        assertThat(configuration.effective().get("egress.upstream"))
                .extracting(Value::text)
                .isEqualTo("http://***@proxy.example.org:3128");
        assertThat(configuration.problems()).hasSize(1).noneMatch(p -> p.text().contains("secret"));
    }
}
