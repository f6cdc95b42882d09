package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.config.Document.Format;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** What people are told of a file, with its place. */
class DocumentReaderTest {

    private static final Path FILE = Path.of("carrel.yaml");

    private static Document read(String text) {
        return DocumentReader.read(FILE, text.getBytes(UTF_8), Format.CARREL);
    }

    private static List<String> problems(String text) {
        return read(text).problems().stream().map(Problem::toString).toList();
    }

    @Test
    void saysEverythingThatIsWrongAtOnceInTheOrderOfTheText() {
        assertThat(
                        problems(
                                """
                                enabled: yes
                                mode: overlai
                                snadbox: {a: 1}
                                workspace_ttl: -5
                                sandbox:
                                  secomp: off
                                  seccomp: Off
                                  hostname: "-x"
                                  inherit_env_vars: [A, "b c"]
                                  unshare_net: null
                                  clearenv: false
                                repos:
                                  - name: x
                                  - {name: x, path: "", bogus: 1}
                                external_agent:
                                  backends: {"1x": {}, codex: {memory: 2Q, moddel: x, timeout: -1}}
                                limits: {pids: 0, cpus: a, wall_clock: 5m}
                                project_setup: 5
                                whatsoever: 1
                                """))
                .containsExactly(
                        "carrel.yaml:1:10: enabled: 'yes' is not allowed; use true or false",
                        "carrel.yaml:2:7: mode: 'overlai' is not allowed, overlay is used instead; use one of overlay, host_readonly",
                        "carrel.yaml:3:1: snadbox: there is no such key; did you mean sandbox?",
                        "carrel.yaml:4:16: workspace_ttl: '-5' is not allowed; use a whole number, 0 or more, at most 3153600000",
                        "carrel.yaml:6:3: sandbox.secomp: there is no such key; did you mean sandbox.seccomp?",
                        "carrel.yaml:7:12: sandbox.seccomp: 'Off' is not allowed; use one of default, log, enforce, off",
                        "carrel.yaml:8:13: sandbox.hostname: '-x' is not allowed; use a host name: 1 to 64 letters, digits, dots and dashes",
                        "carrel.yaml:9:25: sandbox.inherit_env_vars[1]: 'b c' is not allowed; use the name of an environment variable",
                        "carrel.yaml:10:16: sandbox.unshare_net: 'null' is not allowed; use true or false",
                        "carrel.yaml:11:3: sandbox.clearenv: this is an old name; use sandbox.env_mode",
                        "carrel.yaml:13:5: repos[0]: path is missing",
                        "carrel.yaml:14:12: repos: two have the name 'x'",
                        "carrel.yaml:14:21: repos[1].path: '' is not allowed; use a text, not empty",
                        "carrel.yaml:14:25: repos[1].bogus: there is no such key",
                        "carrel.yaml:16:14: external_agent.backends: '1x' is not allowed as a name; use a name: letters, digits, '_' and '-', beginning with a letter",
                        "carrel.yaml:16:40: external_agent.backends.codex.memory: '2Q' is not allowed; use a size, such as 2G or 512M",
                        "carrel.yaml:16:44: external_agent.backends.codex.moddel: there is no such key; did you mean external_agent.backends.codex.model?",
                        "carrel.yaml:16:64: external_agent.backends.codex.timeout: '-1' is not allowed; use a time, such as 90s, 5m or 1h",
                        "carrel.yaml:17:16: limits.pids: '0' is not allowed; use a whole number, 1 or more, at most 4194304",
                        "carrel.yaml:17:25: limits.cpus: 'a' is not allowed; use a number, 0.01 or more, at most 65536",
                        "carrel.yaml:18:16: project_setup: '5' is not allowed; use a group of keys",
                        "carrel.yaml:19:1: whatsoever: there is no such key");
    }

    @Test
    void judgesTheMembersOfFreeMaps() {
        assertThat(
                        problems(
                                "egress: {hosts: {a.b: 3}}\nexternal_agent: {backends: {x: {env: {A: 1}}}}"))
                .containsExactly(
                        "carrel.yaml:1:23: egress.hosts.a.b: '3' is not allowed; use a text, not empty",
                        "carrel.yaml:2:42: external_agent.backends.x.env.A: '1' is not allowed; use a text");
    }

    @Test
    void refusesWhatCouldBeMisread() {
        assertThat(
                        problems(
                                """
                                sandbox: &walls
                                  hostname: !!str a
                                  hostname: b
                                  <<: {seccomp: off}
                                  ? [a, b]
                                  : c
                                  inherit_env_vars: *vars
                                """))
                .containsExactly(
                        "carrel.yaml:1:10: anchors (&walls) are not allowed",
                        "carrel.yaml:2:13: tags (tag:yaml.org,2002:str) are not allowed",
                        "carrel.yaml:3:3: sandbox.hostname: the key is there twice",
                        "carrel.yaml:4:3: merge keys (<<) are not allowed; write the values out",
                        "carrel.yaml:5:5: a key has to be a text",
                        "carrel.yaml:7:21: aliases (*vars) are not allowed; write the value out");
    }

    /** The first value counts, so that the rest can be judged. */
    @Test
    void aKeyThatIsThereTwiceHidesNothing() {
        assertThat(
                        problems(
                                """
                                sandbox:
                                  seccomp: enforce
                                  secomp: off
                                  seccomp: Off
                                repos:
                                  - {name: a, path: /a, path: /b}
                                  - {name: a}
                                workspace_ttl: -5
                                mode: &m overlay
                                sandbox: 3
                                session_tmp: *m
                                egress: {allow: ["*.com", *m], deny: [*m]}
                                """))
                .anyMatch(text ->
                        text.startsWith("carrel.yaml:12:18: egress.allow: the rule '*.com'"))
                .filteredOn(text -> !text.contains(":12:18:"))
                .containsExactly(
                        "carrel.yaml:3:3: sandbox.secomp: there is no such key; did you mean sandbox.seccomp?",
                        "carrel.yaml:4:3: sandbox.seccomp: the key is there twice",
                        "carrel.yaml:6:25: repos[0].path: the key is there twice",
                        "carrel.yaml:7:5: repos[1]: path is missing",
                        "carrel.yaml:7:12: repos: two have the name 'a'",
                        "carrel.yaml:8:16: workspace_ttl: '-5' is not allowed; use a whole number, 0 or more, at most 3153600000",
                        "carrel.yaml:9:7: anchors (&m) are not allowed",
                        "carrel.yaml:10:1: sandbox: the key is there twice",
                        "carrel.yaml:11:14: aliases (*m) are not allowed; write the value out",
                        "carrel.yaml:12:27: aliases (*m) are not allowed; write the value out",
                        "carrel.yaml:12:39: aliases (*m) are not allowed; write the value out");
    }

    @Test
    void refusesATextWithANulAnywhere() {
        assertThat(problems("snapshots: {include: [\"a\\0b\"]}\n"))
                .containsExactly("carrel.yaml:1:23: a text cannot have a NUL character");
    }

    @Test
    void saysWhereATextIsNoYaml() {
        assertThat(problems("sandbox:\n\tseccomp: off\n"))
                .singleElement()
                .asString()
                .startsWith("carrel.yaml:2:1: this is not YAML: found character '\\t(TAB)'");
        assertThat(problems("a: [b"))
                .singleElement()
                .asString()
                .startsWith("carrel.yaml:1:6: this is not YAML: ");
        assertThat(problems("enabled: true\n---\nenabled: false\n"))
                .containsExactly("carrel.yaml:2:1: there is a second document; one file holds one");
        assertThat(problems("- enabled"))
                .containsExactly("carrel.yaml:1:1: a list is not allowed; use a group of keys");
        assertThat(problems("[".repeat(40)))
                .containsExactly("carrel.yaml:1:26: it is nested too deeply");
        assertThat(DocumentReader.read(FILE, "# ä".getBytes(ISO_8859_1), Format.CARREL).problems())
                .extracting(Problem::toString)
                .containsExactly("carrel.yaml:1:1: this is not UTF-8");
    }

    @Test
    void understandsWordsAsYaml12Does() {
        Document document =
                read(
                        "sandbox: {seccomp: off, hostname: no}\nlimits: {pids: 0x10}\nsession_tmp: True");

        assertThat(document.problems()).isEmpty();
        assertThat(document.entries())
                .extracting(entry -> entry.key() + "=" + entry.value().toCompact())
                .containsExactly(
                        "sandbox.seccomp=\"off\"",
                        "sandbox.hostname=\"no\"",
                        "limits.pids=16",
                        "session_tmp=true");
    }

    @Test
    void doesNotLoseItselfInAHugeListOfMistakes() {
        StringBuilder text = new StringBuilder("sandbox:\n  inherit_env_vars:\n");
        for (int i = 0; i < 60_000; i++) {
            text.append("    - a b\n");
        }
        Document document =
                Assertions.assertTimeoutPreemptively(
                        Duration.ofSeconds(60), () -> read(text.toString()));

        assertThat(document.hasErrors()).isTrue();
        assertThat(document.problems()).hasSize(201);
        assertThat(document.problems().getFirst().text())
                .isEqualTo("there are more than 200 problems; not all are listed");
    }

    @Test
    void passesOverAByteOrderMark() {
        assertThat(read("\ufeffsession_tmp: false\r\n").problems()).isEmpty();
    }

    @Test
    void takesEmptyGroupsAndListsAsNotThere() {
        Document document = read("sandbox:\n  # seccomp: off\nsnapshots:\n  include:\nlimits: ~\n");

        assertThat(document.problems()).isEmpty();
        assertThat(document.entries()).isEmpty();
        assertThat(read("")).isEqualTo(new Document(List.of(), List.of()));
        assertThat(read("# nothing\n")).isEqualTo(new Document(List.of(), List.of()));
    }

    @Test
    void understandsOldNames() {
        assertThat(read("sandbox: {clearenv: false, allowed_env_vars: [A]}").entries())
                .extracting(entry -> entry.key() + "=" + entry.value().toCompact())
                .containsExactlyInAnyOrder(
                        "sandbox.env_mode=\"inherit_all\"", "sandbox.inherit_env_vars=[\"A\"]");
        assertThat(
                        read("sandbox: {clearenv: false, env_mode: minimal,"
                                        + " allowed_env_vars: [A], inherit_env_vars: [B]}")
                                .entries())
                .extracting(entry -> entry.key() + "=" + entry.value().toCompact())
                .containsExactlyInAnyOrder(
                        "sandbox.env_mode=\"minimal\"", "sandbox.inherit_env_vars=[\"B\"]");
        assertThat(read("sandbox: {clearenv: true}").entries()).isEmpty();
    }

    @Test
    void isTheSameFromTheCache() {
        Document document =
                read(
                        "mode: x\nunknown: 1\nsandbox: {inherit_env_vars: [A]}\nsnapshots: {min_free_gb: 1.5}");

        assertThat(document.problems()).hasSize(2);
        assertThat(Document.of(document.toJson(), FILE)).isEqualTo(document);
    }
}
