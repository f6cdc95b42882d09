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

/** Settings of other sandboxes: what can be is converted, and the rest is named. */
class ImportedTest {

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
                                    "deniedDomains": ["evil.example.org", "*"],
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
                                  "allowPty": false,
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
                        "network.deniedDomains *: everything that is not allowed is denied anyway",
                        "network.allowAllUnixSockets: true: sockets of the host are never reached",
                        "network.parentProxy.noProxy: everything goes through the proxy",
                        "filesystem.denyRead ~/.ssh: the host is not shown to begin with",
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
                        "somethingNew: {\"a\":1}: there is nothing like it");
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
                          env_mode: inherit_all
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
                        "shell_environment_policy.include_only AWS_*: sandbox.inherit_env_vars takes no"
                                + " patterns",
                        "shell_environment_policy.set: give variables to a command: --env NAME=VALUE",
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
                        "permissions.dev.filesystem.~/.ssh: the host is not shown to begin with",
                        "permissions.dev.filesystem.:root: what of the host is shown is fixed: its tool"
                                + " chains",
                        "permissions.dev.filesystem.:workspace_roots.**/*.key: sandbox.mask takes paths"
                                + " relative to the repository, and no patterns",
                        "permissions.dev.filesystem.:workspace_roots.docs: the repository is shown as a"
                                + " whole, and is a copy",
                        "permissions.dev.network.mode: encrypted traffic is not opened",
                        "permissions.dev.network.domains.*: name the hosts: everything at once cannot be"
                                + " allowed");
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
