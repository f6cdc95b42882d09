package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.config.Document.Format;
import dev.carrel.core.failure.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of other sandboxes: what can be is converted, and the rest is named. */
class ImportedTest {

    private static final String WITHOUT_PORT =
            "hosts without a port: they are reached at ports 80 and 443; add HOST:PORT for others,"
                    + " tcp://HOST:PORT for what is neither HTTP nor TLS";

    @TempDir Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static void isValid(Imported imported) {
        assertThat(
                        DocumentReader.read(
                                        Path.of("x"),
                                        imported.yaml().getBytes(UTF_8),
                                        Format.CARREL)
                                .problems())
                .isEmpty();
    }

    @Test
    void convertsSandboxRuntime() throws IOException {
        Imported imported =
                Imported.ofSrt(
                        file(
                                "srt.json",
                                """
                                {
                                  "network": {
                                    "allowedDomains": ["github.com", "*.example.org", "api.example.org:8443"],
                                    "deniedDomains": ["evil.example.org"],
                                    "deniedResolvedAddresses": ["10.0.0.0/8"],
                                    "allowAllUnixSockets": true,
                                    "allowLocalBinding": false,
                                    "parentProxy": {"https": "http://proxy:3128", "noProxy": "x"}
                                  },
                                  "filesystem": {
                                    "denyRead": [".env", "./secrets/", "~/.ssh", "**/*.pem"],
                                    "allowRead": ["/srv/data", "src"],
                                    "allowWrite": [".", {"path": "/tmp/a", "literal": true}],
                                    "denyWrite": ["package.json"]
                                  },
                                  "enableWeakerNestedSandbox": true,
                                  "allowAppleEvents": false,
                                  "allowPty": false,
                                  "enabled": false,
                                  "somethingNew": {"a": 1}
                                }
                                """));

        assertThat(imported.yaml())
                .isEqualTo(
                        """
                        # Converted from srt.json.
                        sandbox:
                          extra_read_only:
                            - "/srv/data"
                          mask:
                            - ".env"
                            - "secrets"
                        egress:
                          allow:
                            - "github.com"
                            - "*.example.org"
                            - "api.example.org:8443"
                          deny:
                            - "evil.example.org"
                            - "10.0.0.0/8"
                          upstream: "http://proxy:3128"
                        """);
        isValid(imported);
        assertThat(imported.notes())
                .containsExactly(
                        "network.allowAllUnixSockets: true: sockets of the host are never reached",
                        "network.allowLocalBinding: false: loopback of the session is always there",
                        "network.parentProxy.noProxy: everything goes through the proxy",
                        "filesystem.denyRead ~/.ssh: the host is not shown to begin with; a place in a"
                                + " repository goes into sandbox.mask, relative to its root",
                        "filesystem.denyRead **/*.pem: sandbox.mask takes no patterns; name the paths",
                        "filesystem.allowRead src: the repository is shown as a whole but for sandbox.mask",
                        "filesystem.allowWrite .: writes stay in the session until they are applied; the"
                                + " host is never written",
                        "filesystem.allowWrite /tmp/a: writes stay in the session until they are applied;"
                                + " the host is never written",
                        "filesystem.denyWrite package.json: the host is never written, and what is applied"
                                + " is chosen then",
                        "enableWeakerNestedSandbox: true: there is no lesser tier: where no full sandbox"
                                + " can be made nothing is run",
                        "allowPty: false: commands at a terminal get one of their own",
                        "enabled: false: there is no mode without walls",
                        "somethingNew: {\"a\":1}: there is nothing like it",
                        WITHOUT_PORT);
    }

    @Test
    void convertsTheOldSettingsOfCodex() throws IOException {
        Imported imported =
                Imported.ofCodex(
                        file(
                                "config.toml",
                                """
                                model = "x"
                                approval_policy = "never"
                                sandbox_mode = "workspace-write"
                                default_permissions = "dev"

                                [sandbox_workspace_write]
                                writable_roots = ["/srv/cache"]
                                network_access = true

                                [shell_environment_policy]
                                inherit = "all"
                                include_only = ["CI", "AWS_*"]
                                set = { A = "b" }
                                """));

        assertThat(imported.yaml())
                .isEqualTo(
                        """
                        # Converted from config.toml.
                        sandbox:
                          inherit_env_vars:
                            - "CI"
                        """);
        isValid(imported);
        assertThat(imported.notes())
                .containsExactly(
                        "sandbox_workspace_write.writable_roots /srv/cache: the host is never written; show"
                                + " it with sandbox.extra_read_only, or as a repository",
                        "sandbox_workspace_write.network_access: name the hosts in egress.allow",
                        "default_permissions: it has no effect beside sandbox_mode",
                        "shell_environment_policy.set: give variables to a command: --env NAME=VALUE",
                        "shell_environment_policy.inherit: all: sandbox.env_mode: inherit_all knows no"
                                + " exceptions, so it stays minimal; names with KEY, SECRET or TOKEN"
                                + " are exceptions where ignore_default_excludes is not true",
                        "shell_environment_policy.include_only AWS_*: sandbox.inherit_env_vars takes no"
                                + " patterns",
                        "approval_policy: nothing is asked: changes stay in the session until they are"
                                + " applied",
                        "model: it is not about the sandbox");
    }

    @Test
    void convertsTheProfileOfCodex() throws IOException {
        Imported imported =
                Imported.ofCodex(
                        file(
                                "config.toml",
                                """
                                default_permissions = "dev"

                                [permissions.other]
                                description = "x"

                                [permissions.dev.filesystem]
                                "/srv/data" = "read"
                                "~/cache" = "write"
                                "~/.ssh" = "deny"
                                ":root" = "read"
                                ":workspace_roots" = { ".env" = "deny", "**/*.key" = "deny", "docs" = "read" }

                                [permissions.dev.network]
                                enabled = true
                                mode = "limited"

                                [permissions.dev.network.domains]
                                "**.example.org" = "allow"
                                "bad.example.org" = "deny"
                                "*" = "allow"
                                """));

        assertThat(imported.yaml())
                .isEqualTo(
                        """
                        # Converted from config.toml.
                        sandbox:
                          extra_read_only:
                            - "/srv/data"
                            - "~/cache"
                          mask:
                            - ".env"
                        egress:
                          allow:
                            - "example.org"
                            - "*.example.org"
                          deny:
                            - "bad.example.org"
                        """);
        isValid(imported);
        assertThat(imported.notes())
                .containsExactly(
                        "permissions.other: only the profile of default_permissions is converted",
                        "permissions.dev.filesystem.~/cache: it is shown read-only: the host is never"
                                + " written",
                        "permissions.dev.filesystem.~/.ssh: the host is not shown to begin with; a place"
                                + " in a repository goes into sandbox.mask, relative to its root",
                        "permissions.dev.filesystem.:root: what of the host is shown is fixed: its tool"
                                + " chains",
                        "permissions.dev.filesystem.:workspace_roots.**/*.key: sandbox.mask takes no"
                                + " patterns; name the paths",
                        "permissions.dev.filesystem.:workspace_roots.docs: the repository is shown as a"
                                + " whole, and is a copy",
                        "permissions.dev.network.mode: encrypted traffic is not opened",
                        "permissions.dev.network.domains *: name the hosts: everything at once cannot be"
                                + " allowed",
                        WITHOUT_PORT);
    }

    @Test
    void namesWhatHasAnotherShapeThanItShould() throws IOException {
        Imported srt =
                Imported.ofSrt(
                        file(
                                "srt.json",
                                """
                                {
                                  "network": {"allowedDomains": "example.org", "parentProxy": "x",
                                              "deniedDomains": [1, "https://example.org/"]},
                                  "filesystem": {"denyRead": ["..", "./", {"literal": true}],
                                                 "allowRead": true}
                                }
                                """));
        Imported codex =
                Imported.ofCodex(
                        file(
                                "config.toml",
                                """
                                default_permissions = "gone"
                                [sandbox_workspace_write]
                                writable_roots = "/srv"
                                [features]
                                x = true
                                [profiles.quiet]
                                sandbox_mode = "read-only"
                                """));

        isValid(srt);
        assertThat(srt.yaml()).isEqualTo("# Converted from srt.json.\n");
        assertThat(srt.notes())
                .contains(
                        "network.allowedDomains: \"example.org\": it is not a list",
                        "network.parentProxy: \"x\": it is not an object",
                        "network.deniedDomains 1: it is no text",
                        "filesystem.denyRead ..: sandbox.mask takes paths below the root of a repository",
                        "filesystem.denyRead ./: sandbox.mask takes paths below the root of a repository",
                        "filesystem.denyRead {\"literal\":true}: it is no path",
                        "filesystem.allowRead: true: it is not a list")
                .anyMatch(note -> note.startsWith("network.deniedDomains https://example.org/: "));
        assertThat(codex.notes())
                .containsExactly(
                        "sandbox_workspace_write.writable_roots: it is not a list",
                        "default_permissions: gone: the file has no such profile",
                        "features: switches of Codex itself",
                        "profiles: profiles are not converted: write the keys of the one you use at the"
                                + " top of a copy");
    }

    @Test
    void neverAllowsWhatWasDenied() throws IOException {
        Imported all = srtHosts("\"example.org\"", "\"*\"");
        Imported port = srtHosts("\"example.org\", \"a.example.org:8080\"", "\"*:80\", \"*:8080\"");
        Imported name = srtHosts("\"a.example.org\", \"example.com\"", "\"*.example.org\"");
        Imported off =
                Imported.ofCodex(
                        file(
                                "config.toml",
                                """
                                default_permissions = "dev"
                                [permissions.dev.network]
                                enabled = false
                                domains = { "example.org" = "allow" }
                                """));

        assertThat(all.yaml()).doesNotContain("egress");
        assertThat(all.notes())
                .containsExactly(
                        "network.deniedDomains *: no host is allowed then",
                        "network.allowedDomains example.org: everything is denied");
        assertThat(port.yaml()).contains("- \"example.org:443\"").doesNotContain("8080");
        assertThat(name.yaml()).contains("- \"example.com\"").doesNotContain("\"a.example");
        isValid(name);
        assertThat(off.yaml()).doesNotContain("egress");
        assertThat(off.notes())
                .containsExactly("permissions.dev.network: it is off, so no host is allowed");
    }

    private Imported srtHosts(String allowed, String denied) throws IOException {
        return Imported.ofSrt(
                file(
                        "srt.json",
                        "{\"network\":{\"allowedDomains\":["
                                + allowed
                                + "],\"deniedDomains\":["
                                + denied
                                + "]}}"));
    }

    @Test
    void takesTheProxyOfTheEnvironmentForTheOneAboveCodexs() throws IOException {
        Imported imported =
                Imported.ofCodex(
                        file(
                                "config.toml",
                                """
                                default_permissions = "dev"
                                [permissions.dev.network]
                                enabled = true
                                proxy_url = "http://127.0.0.1:3128"
                                allow_upstream_proxy = true
                                """));

        assertThat(imported.yaml()).endsWith("egress:\n  upstream: environment\n");
        isValid(imported);
        assertThat(imported.notes())
                .containsExactly(
                        "permissions.dev.network.proxy_url: it is about Codex's own proxy; Carrel's needs"
                                + " no setting");
    }

    @Test
    void handsEverythingOnOnlyWhereNothingWasExcepted() throws IOException {
        String all = "[shell_environment_policy]\ninherit = \"all\"\nignore_default_excludes = ";

        assertThat(codex(all + "true\n").yaml()).contains("inherit_all");
        for (String except :
                new String[] {
                    "false",
                    "3",
                    "true\nexclude = [\"AWS_*\"]",
                    "true\nexclude = \"AWS_*\"",
                    "true\ninclude_only = [\"A\"]",
                    "true\nset = { A = \"b\" }",
                    "true\nfilters = { A = \"exclude\" }"
                }) {
            assertThat(codex(all + except + "\n").yaml()).as(except).doesNotContain("inherit_all");
        }
    }

    private Imported codex(String text) throws IOException {
        Imported imported = Imported.ofCodex(file("config.toml", text));
        isValid(imported);
        return imported;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    inherit = "none"                                          | inherit = "none" withholds it
                    inherit = "core"                                          | inherit = "core" withholds it
                    inherit = "most"                                          | what is inherited is not known
                    inherit = 3                                               | what is inherited is not known
                    exclude = ["app_*"]                                       | exclude withholds it
                    exclude = ["APP_?ODE"]                                    | exclude withholds it
                    exclude = "X"                                             | exclude withholds it
                    exclude = ["X", 3]                                        | exclude withholds it
                    set = { APP_MODE = "b" }                                  | it is set there, not handed on
                    filters = { "app_*" = "exclude", "APP_MODE" = "include" } | exclude withholds it
                    """)
    void handsNoVariableOnThatCodexWithholds(String policy, String why) throws IOException {
        boolean filters = policy.startsWith("filters");
        String include = filters ? "" : "include_only = [\"APP_MODE\"]\n";
        Imported imported = codex("[shell_environment_policy]\n" + include + policy + "\n");

        assertThat(imported.yaml()).isEqualTo("# Converted from config.toml.\n");
        assertThat(imported.notes())
                .contains(
                        "shell_environment_policy."
                                + (filters ? "filters" : "include_only")
                                + " APP_MODE: "
                                + why);
    }

    @Test
    void handsOnWhatCodexHandsOn() throws IOException {
        String list =
                "include_only = [\"CI\", \"GITHUB_TOKEN\", \"my_key\", \"PATH\", \"HOME\"]\nexclude = [\"AWS_*\", \"C\"]\n";
        Imported careful = codex("[shell_environment_policy]\n" + list);
        Imported all = codex("[shell_environment_policy]\nignore_default_excludes = true\n" + list);
        Imported filters =
                codex("[shell_environment_policy.filters]\nCI = \"include\"\nX = \"exclude\"\n");

        assertThat(careful.yaml()).endsWith("inherit_env_vars:\n    - \"CI\"\n");
        assertThat(careful.notes())
                .filteredOn(note -> note.contains("include_only"))
                .extracting(note -> note.substring(0, note.indexOf(',')))
                .containsExactly(
                        "shell_environment_policy.include_only GITHUB_TOKEN: names with KEY",
                        "shell_environment_policy.include_only my_key: names with KEY",
                        "shell_environment_policy.include_only PATH: the sandbox has a user",
                        "shell_environment_policy.include_only HOME: the sandbox has a user");
        assertThat(all.yaml()).endsWith("- \"CI\"\n    - \"GITHUB_TOKEN\"\n    - \"my_key\"\n");
        assertThat(filters.yaml()).endsWith("inherit_env_vars:\n    - \"CI\"\n");
    }

    @Test
    void leavesNothingOfCodexOutInSilence() throws IOException {
        Imported imported =
                codex(
                        """
                        sandbox_workspace_write = 3
                        permissions = 4
                        shell_environment_policy = { inherit = "core" }
                        """);

        assertThat(imported.notes())
                .containsExactly(
                        "sandbox_workspace_write: it is not a table",
                        "permissions: it is not a table",
                        "shell_environment_policy.inherit: core: the sandbox has a user, a PATH and"
                                + " places of its own");
        assertThat(codex("sandbox_mode = []\nshell_environment_policy = true\n").notes())
                .containsExactly(
                        "sandbox_mode: another shape: there is no such mode",
                        "shell_environment_policy: it is not a table");
        assertThat(
                        codex(
                                        "default_permissions = \"dev\"\n[permissions.dev]\nfilesystem = 1\nnetwork = 2\n")
                                .notes())
                .containsExactly(
                        "permissions.dev.filesystem: it is not a table",
                        "permissions.dev.network: it is not a table");
    }

    @Test
    void hidesAPathThatIsMarkedAsOneWhateverItsCharacters() throws IOException {
        Imported imported =
                Imported.ofSrt(
                        file(
                                "srt.json",
                                """
                                {"filesystem": {"denyRead": [{"path": "notes [1]", "literal": true}]}}
                                """));

        assertThat(imported.yaml()).contains("- \"notes [1]\"");
        assertThat(imported.notes()).isEmpty();
    }

    @Test
    void saysWhereAFileCannotBeRead() throws IOException {
        Path toml = file("config.toml", "a = 1\nb =\n");
        assertThatThrownBy(() -> Imported.ofCodex(toml))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(toml + ":2:")
                .hasMessageContaining("this is not TOML");
        Path json = file("srt.json", "[]");
        assertThatThrownBy(() -> Imported.ofSrt(json))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("not an object");
    }
}
