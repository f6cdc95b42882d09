package dev.carrel.core.config;

import static dev.carrel.core.config.SettingsFiles.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a repository's own file may do: narrow, and never widen. */
class NarrowingTest {

    private static final String ANY = "-";

    @TempDir Path directory;
    private SettingsFiles files;
    private Path repository;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        repository = files.repository("src/app");
    }

    private static String line(String key, String value) {
        String text = value;
        String[] names = key.split("\\.", -1);
        for (int i = names.length - 1; i > 0; i--) {
            text = "{" + names[i] + ": " + text + "}";
        }
        return names[0] + ": " + text + "\n";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # key                         | user's      | repository's | in effect
                    enabled                       | -           | false        | false
                    enabled                       | false       | true         | false
                    mode                          | host_readonly | overlay    | overlay
                    mode                          | -           | host_readonly | overlay
                    workspace_ttl                 | 500         | 100          | 500
                    workspace_base                | /srv/a      | /srv/b       | /srv/a
                    persistent_home               | -           | false        | false
                    persistent_home               | false       | true         | false
                    session_tmp                   | -           | false        | false
                    session_tmp                   | false       | true         | false
                    subagent_isolation            | -           | isolated     | isolated
                    subagent_isolation            | isolated    | shared       | isolated
                    sandbox.unshare_net           | -           | false        | true
                    sandbox.unshare_net           | false       | true         | true
                    sandbox.unshare_uts           | -           | true         | true
                    sandbox.unshare_cgroup        | true        | false        | true
                    sandbox.hostname              | a           | b            | b
                    sandbox.new_session           | -           | true         | true
                    sandbox.seccomp               | -           | enforce      | enforce
                    sandbox.seccomp               | -           | log          | default
                    sandbox.seccomp               | -           | off          | default
                    sandbox.seccomp               | off         | log          | log
                    sandbox.seccomp               | enforce     | default      | enforce
                    sandbox.env_mode              | -           | inherit_all  | minimal
                    sandbox.env_mode              | inherit_all | minimal      | minimal
                    sandbox.clearenv              | false       | true         | ?
                    sandbox.inherit_env_vars      | ["A","B"]   | ["B"]        | ["B"]
                    sandbox.inherit_env_vars      | ["A"]       | ["B"]        | ["A"]
                    sandbox.inherit_env_vars      | ["A"]       | []           | []
                    sandbox.inherit_env_vars      | -           | ["A"]        | []
                    sandbox.extra_read_only       | -           | ["/"]        | []
                    sandbox.extra_read_only       | ["/srv"]    | ["/srv/a"]   | ["/srv"]
                    sandbox.mask                  | ["a"]       | ["b"]        | ["a","b"]
                    sandbox.mask                  | ["a"]       | []           | ["a"]
                    integration.ai_merge          | false       | true         | false
                    integration.enabled           | -           | false        | false
                    integration.auto_commit       | -           | false        | false
                    snapshots.enabled             | -           | false        | true
                    snapshots.shared              | -           | false        | true
                    snapshots.upper_dir_ttl       | -           | 1            | 2592000
                    snapshots.cleanup_interval    | -           | 0            | 3600
                    snapshots.min_free_gb         | -           | 500          | 5
                    snapshots.include             | -           | [".env"]     | []
                    snapshots.include             | [".env","x"] | ["x"]       | ["x"]
                    snapshots.uncommitted         | -           | exclude      | exclude
                    snapshots.uncommitted         | exclude     | include      | exclude
                    project_setup.enabled         | -           | false        | false
                    project_setup.timeout_s       | -           | 60           | 60
                    project_setup.timeout_s       | -           | 601          | 600
                    project_setup.cache_budget_bytes | -        | 0            | 0
                    project_setup.failed_ttl_s    | -           | 86401        | 86400
                    project_setup.auto_build      | false       | true         | false
                    host_readonly.scratch_overlay | -           | false        | false
                    host_readonly.expose_host_tmp | false       | true         | false
                    host_readonly.unshare_pid     | -           | true         | true
                    host_readonly.network         | -           | share        | ask
                    host_readonly.network         | -           | isolate      | isolate
                    host_readonly.network         | share       | ask          | ask
                    host_readonly.mask            | ["/a"]      | ["/b"]       | ["/a","/b"]
                    host_readonly.unmask          | -           | ["/b"]       | []
                    egress.allow                  | -           | ["a.b"]      | []
                    egress.allow                  | ["a.b","c"] | ["c"]        | ["c"]
                    egress.allow                  | ["*.a.b"]   | ["c.A.b."]   | ["c.A.b."]
                    egress.allow                  | ["*.a.b"]   | ["a.b"]      | ["*.a.b"]
                    egress.allow                  | ["a.b"]     | ["a.b:443"]  | ["a.b:443"]
                    egress.allow                  | ["a.b:443"] | ["a.b"]      | ["a.b:443"]
                    egress.allow                  | ["a.b:22"]  | ["tcp://a.b:22"] | ["a.b:22"]
                    egress.allow                  | ["tcp://a.b:22"] | ["a.b:22"] | ["a.b:22"]
                    egress.deny                   | ["a"]       | ["b"]        | ["a","b"]
                    egress.hosts                  | -           | {"a":"192.0.2.1"} | {}
                    egress.upstream               | -           | "http://x:1" | null
                    egress.host_ports             | [2001,2002] | [2002]       | [2002]
                    egress.host_ports             | [2001]      | [2002]       | [2001]
                    egress.extra_ca               | -           | ["/a"]       | []
                    limits.memory                 | 2G          | 1024M        | 1024M
                    limits.memory                 | 2G          | 2049M        | 2G
                    limits.memory                 | -           | 64G          | 64G
                    limits.pids                   | 10          | 11           | 10
                    limits.cpus                   | 2           | 0.5          | 0.5
                    limits.wall_clock             | 5m          | 301s         | 5m
                    limits.wall_clock             | 5m          | 4m           | 4m
                    limits.output                 | 1M          | 1            | 1
                    limits.disk                   | 1T          | 1025G        | 1T
                    limits.require                | -           | cgroup       | cgroup
                    external_agent.retain         | -           | always       | changed
                    external_agent.default_sandbox_tier | 0     | 1            | 1
                    external_agent.default_sandbox_tier | -     | 0            | 1
                    external_agent.default_sandbox_tier | 1.0   | 0            | 1.0
                    external_agent.backends.codex.enabled | -   | false        | false
                    external_agent.backends.codex.program | -   | /tmp/x       | ?
                    external_agent.backends.codex.model   | -   | x            | ?
                    external_agent.backends.codex.base_url | -  | http://x     | ?
                    external_agent.backends.codex.allowed_egress | - | ["a.b"] | ?
                    external_agent.backends.codex.memory  | 2G  | 3G           | 2G
                    external_agent.backends.codex.timeout | 5m  | 1m           | 1m
                    external_agent.backends.codex.env     | -   | {"A":"b"}    | ?
                    external_agent.backends.codex.extra_args | - | ["-x"]      | ?
                    external_agent.backends.codex.max_turns | 5 | 6            | 5
                    repos                         | -           | [{"name":"a","path":"/a"}] | []
                    """)
    void narrowsAndNeverWidens(String key, String users, String own, String expected) {
        if (!users.equals(ANY)) {
            files.write("src/carrel.yaml", line(key, users));
        }
        files.write("src/app/carrel.yaml", line(key, own));
        Configuration loaded = files.load(repository);

        boolean taken = !"?".equals(expected) && equal(expected, own);
        assertThat(value(loaded, key)).isEqualTo("?".equals(expected) ? "" : expected);
        boolean added = expected.contains(",") && !users.contains(",");
        boolean same = equal(users, own) || key.endsWith("clearenv") || key.endsWith(".mask");
        assertThat(loaded.problems().stream().filter(p -> p.kind() == Problem.Kind.WIDENS))
                .hasSize(taken || added || same ? 0 : 1);
    }

    private static boolean equal(String one, String other) {
        return one.replace("\"", "").equals(other.replace("\"", ""));
    }

    @Test
    void saysWhatIsNotUsedAndWhereToAllowIt() {
        files.write("src/app/carrel.yaml", "sandbox:\n  seccomp: off\n  extra_read_only: [~/x]\n");

        assertThat(files.problems(repository))
                .containsExactly(
                        "src/app/carrel.yaml:2:12: sandbox.seccomp: off is not used: a repository's own file"
                                + " may only go to the right in off, log, default, enforce (now default);"
                                + " to allow it, set it in a file of your own",
                        "src/app/carrel.yaml:3:20: sandbox.extra_read_only: [\"~/x\"] is not used: a"
                                + " repository's own file may only remove entries (now []); to allow it, set"
                                + " it in a file of your own");
    }

    @Test
    void oneEntryThatWidensTakesNothingFromTheOthers() {
        files.write(
                "src/carrel.yaml",
                """
                egress: {allow: [example.org, '*.example.net:8443']}
                sandbox: {inherit_env_vars: [A, B]}
                """);
        files.write(
                "src/app/carrel.yaml",
                """
                egress: {allow: [a.example.net:8443, evil.example.com]}
                sandbox: {inherit_env_vars: [C, B, D]}
                """);
        Configuration loaded = files.load(repository);

        assertThat(value(loaded, "egress.allow")).isEqualTo("[\"a.example.net:8443\"]");
        assertThat(value(loaded, "sandbox.inherit_env_vars")).isEqualTo("[\"B\"]");
        assertThat(files.problems(repository))
                .containsExactly(
                        "src/app/carrel.yaml:1:17: egress.allow: [\"evil.example.com\"] is not used: a"
                                + " repository's own file may only remove entries or narrow them (now"
                                + " [\"example.org\",\"*.example.net:8443\"]); to allow it, set it in a"
                                + " file of your own",
                        "src/app/carrel.yaml:2:29: sandbox.inherit_env_vars: [\"C\",\"D\"] is not used: a"
                                + " repository's own file may only remove entries (now [\"A\",\"B\"]); to"
                                + " allow it, set it in a file of your own");
    }

    @Test
    void aListThatSeveralAddedToComesOfAllOfThem() {
        Path other = files.repository("src/lib");
        files.write("src/carrel.yaml", "egress: {deny: [a], allow: [b, c]}\n");
        files.write("src/app/carrel.yaml", "egress: {deny: [d], allow: [c]}\n");
        files.write("src/lib/carrel.yaml", "egress: {deny: [d]}\n");
        Configuration loaded = files.load(repository, other);

        assertThat(origins(loaded, "egress.deny"))
                .containsExactly("src/carrel.yaml:1:16", "src/app/carrel.yaml:1:16");
        assertThat(origins(loaded, "egress.allow")).containsExactly("src/app/carrel.yaml:1:28");
    }

    private List<String> origins(Configuration loaded, String key) {
        return loaded.set(key).orElseThrow().origins().stream()
                .map(origin -> files.home.relativize(origin.file()) + ":" + origin.at())
                .toList();
    }

    @Test
    void saysThatSomeKeysAreNotTheRepositorys() {
        files.write("src/app/carrel.yaml", "workspace_ttl: 0\n");

        assertThat(files.problems(repository))
                .singleElement()
                .asString()
                .contains("a repository's own file may not set it (now 86400)");
    }

    @Test
    void whatTheUserAllowsMayBeAskedFor() {
        files.write("src/carrel.yaml", "sandbox: {seccomp: off, extra_read_only: [~/x]}\n");
        files.write("src/app/carrel.yaml", "sandbox: {seccomp: off, extra_read_only: [~/x]}\n");

        assertThat(files.problems(repository)).isEmpty();
    }

    @Test
    void everyRepositoryHasItsSay() {
        Path other = files.repository("src/lib");
        files.write("src/app/carrel.yaml", "sandbox: {mask: [a], seccomp: enforce}\n");
        files.write("src/lib/carrel.yaml", "sandbox: {mask: [b], seccomp: default}\n");
        Configuration loaded = files.load(repository, other);

        assertThat(value(loaded, "sandbox.mask")).isEqualTo("[\"a\",\"b\"]");
        assertThat(value(loaded, "sandbox.seccomp")).isEqualTo("enforce");
        assertThat(loaded.problems()).hasSize(1);
    }

    @Test
    void oldNamesAreNoWayAround() {
        files.write(
                "src/app/carrel.yaml", "sandbox: {clearenv: false, allowed_env_vars: [TOKEN]}\n");
        Configuration loaded = files.load(repository);

        assertThat(value(loaded, "sandbox.env_mode")).isEqualTo("minimal");
        assertThat(value(loaded, "sandbox.inherit_env_vars")).isEqualTo("[]");
        assertThat(loaded.settings()).isEmpty();
    }

    @Test
    void textsThatCannotBePathsAreNamed() {
        files.write(
                "src/app/carrel.yaml",
                "workspace_base: \"/a\\0\"\nrepos: [{name: a, path: \"\\0\"}]\n");

        assertThat(files.problems(repository))
                .containsExactly(
                        "src/app/carrel.yaml:1:17: a text cannot have a NUL character",
                        "src/app/carrel.yaml:2:25: a text cannot have a NUL character");
    }
}
