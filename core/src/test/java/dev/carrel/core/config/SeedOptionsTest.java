package dev.carrel.core.config;

import static dev.carrel.core.config.SettingsFiles.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every documented option: its default, a value that is taken, one that is not, its fallback. */
class SeedOptionsTest {

    @TempDir Path directory;
    private SettingsFiles files;

    @BeforeEach
    void home() throws IOException {
        files = new SettingsFiles(directory);
        if (files.uid == 0) {
            files.uid = 1000; // the default of workspace_base is another for root
        }
    }

    private Path config(String key, String value) {
        String text = value;
        String[] names = key.split("\\.", -1);
        for (int i = names.length - 1; i >= 0; i--) {
            text = i == 0 ? names[i] + ": " + text : "{" + names[i] + ": " + text + "}";
        }
        files.named = Optional.of(files.write("named.yaml", text + "\n"));
        return files.repository("repo");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    enabled                         | true                  | false       | maybe
                    workspace_base                  | HOME/.carrel/workspaces | /srv/w    | relative
                    workspace_ttl                   | 86400                 | 0           | -1
                    workspace_ttl                   | 86400                 | 3600        | 1.5
                    persistent_home                 | true                  | false       | 0
                    session_tmp                     | true                  | false       | "true"
                    sandbox.unshare_net             | true                  | false       | none
                    sandbox.unshare_uts             | false                 | true        | 1
                    sandbox.unshare_cgroup          | false                 | true        | []
                    sandbox.hostname                | null                  | box         | a_b
                    sandbox.new_session             | false                 | true        | on
                    sandbox.seccomp                 | default               | log         | strict
                    sandbox.seccomp                 | default               | enforce     | ~
                    sandbox.seccomp                 | default               | off         | false
                    sandbox.env_mode                | minimal               | inherit_all | all
                    sandbox.inherit_env_vars        | []                    | ["A"]       | A
                    sandbox.extra_read_only         | []                    | ["/srv"]    | [srv]
                    sandbox.mask                    | []                    | ["a/b"]     | [/a]
                    integration.enabled             | true                  | false       | no
                    integration.auto_commit         | true                  | false       | no
                    integration.ai_merge            | true                  | false       | no
                    snapshots.enabled               | true                  | false       | no
                    snapshots.shared                | true                  | false       | no
                    snapshots.upper_dir_ttl         | 2592000               | 60          | 0
                    snapshots.cleanup_interval      | 3600                  | 0           | -1
                    snapshots.min_free_gb           | 5                     | 0           | -0.1
                    snapshots.min_free_gb           | 5                     | 2.5         | 5G
                    snapshots.include               | []                    | ["x"]       | [""]
                    snapshots.uncommitted           | include               | exclude     | false
                    project_setup.enabled           | true                  | false       | no
                    project_setup.timeout_s         | 600                   | 0.5         | 0
                    project_setup.cache_budget_bytes | 5368709120           | 0           | 5G
                    project_setup.failed_ttl_s      | 86400                 | 0           | -1
                    project_setup.auto_build        | true                  | false       | no
                    host_readonly.scratch_overlay   | true                  | false       | no
                    host_readonly.expose_host_tmp   | true                  | false       | no
                    host_readonly.unshare_pid       | false                 | true        | yes
                    external_agent.default_sandbox_tier | 1                 | 0           | 2
                    external_agent.retain           | changed               | never       | sometimes
                    egress.allow                    | []                    | ["a.b"]     | ["a b"]
                    egress.host_ports               | []                    | [5432]      | [0]
                    """)
    void hasItsDefaultAndRange(String key, String byDefault, String good, String bad) {
        String expected = byDefault.replace("HOME", files.home.toString());
        assertThat(value(files.configurations().check(List.of()), key)).isEqualTo(expected);

        Configuration set = files.load(config(key, good));
        assertThat(value(set, key)).isEqualTo(good);
        assertThat(set.problems()).isEmpty();

        assertThat(files.problems(config(key, bad)))
                .singleElement()
                .asString()
                .startsWith("named.yaml:1:")
                .contains(": " + key)
                .contains("is not allowed; use ");
    }

    @ParameterizedTest
    @CsvSource({
        "mode, overlay, host_readonly",
        "subagent_isolation, shared, isolated",
        "host_readonly.network, ask, share",
        "host_readonly.network, ask, isolate"
    })
    void fallsBackAsDocumented(String key, String fallback, String good) {
        assertThat(value(files.load(config(key, good)), key)).isEqualTo(good);
        for (String invalid : new String[] {"nonsense", "5", "true"}) {
            Configuration loaded = files.load(config(key, invalid));
            assertThat(value(loaded, key)).isEqualTo(fallback);
            assertThat(loaded.problems()).hasSize(1);
            assertThat(loaded.problems().getFirst().kind()).isEqualTo(Problem.Kind.WARNING);
            assertThat(loaded.problems().getFirst().text())
                    .startsWith(
                            key + ": '" + invalid + "' is not allowed, " + fallback + " is used");
        }
        assertThat(files.problems(config(key, "[a]")))
                .singleElement()
                .asString()
                .contains("a list is not");
    }

    @Test
    void isolatedIsSharedUnderTheReadOnlyHost() {
        files.write("carrel.yaml", "mode: host_readonly\nsubagent_isolation: isolated\n");
        Configuration loaded = files.load(files.repository("repo"));

        assertThat(value(loaded, "subagent_isolation")).isEqualTo("shared");
        assertThat(loaded.problems())
                .extracting(Problem::text)
                .containsExactly(
                        "subagent_isolation: isolated is not possible with mode: host_readonly; shared"
                                + " is used instead");
    }
}
