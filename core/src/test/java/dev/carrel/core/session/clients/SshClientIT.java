package dev.carrel.core.session.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** git over ssh, with a key that was lent to the session and without one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SshClientIT {

    private @Nullable Clients clients;
    private @Nullable Path directory;
    private @Nullable Process server;
    private int port;

    @BeforeAll
    void start() throws Exception {
        Requirements.program("socat");
        Path sshd = Requirements.file(Path.of("/usr/sbin/sshd"));
        boolean root = "root".equals(System.getProperty("user.name"));
        // Root's server insists on it, and Debian makes it when it starts the service.
        Requirements.that(!root || Files.isDirectory(Path.of("/run/sshd")), "needs /run/sshd");
        Path base = Files.createTempDirectory("carrel-ssh");
        directory = base;
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        for (String key : List.of("host", "key")) {
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", base.resolve(key).toString());
        }
        // Another user than the key's owner runs root's sandboxes.
        Files.setPosixFilePermissions(
                base.resolve("key"),
                PosixFilePermissions.fromString(root ? "rw-r--r--" : "rw-------"));
        port = freePort();
        server = sshd(sshd, base);
        awaitServer();
        clients =
                new Clients(
                        List.of("tcp://" + Clients.HOST + ":" + port, "tcp://127.0.0.1:" + port),
                        List.of(
                                new SessionRequest.MountRequest(
                                        base.resolve("key"), Optional.of("/lent/key"))));
    }

    private Process sshd(Path program, Path base) throws IOException {
        return new ProcessBuilder(
                        program.toString(),
                        "-D",
                        "-e",
                        "-f",
                        "/dev/null",
                        "-oListenAddress=127.0.0.1",
                        "-oPort=" + port,
                        "-oHostKey=" + base.resolve("host"),
                        "-oAuthorizedKeysFile=" + base.resolve("key.pub"),
                        "-oStrictModes=no",
                        "-oUsePAM=no",
                        // Else the login shell reads what its user starts shells with.
                        "-oSetEnv=SHLVL=2",
                        "-oPidFile=none")
                .redirectErrorStream(true)
                .redirectOutput(base.resolve("log").toFile())
                .start();
    }

    private static void run(String... argv) throws Exception {
        assertThat(new ProcessBuilder(argv).inheritIO().start().waitFor()).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private void awaitServer() throws Exception {
        for (int i = 0; ; i++) {
            try {
                new Socket(InetAddress.ofLiteral("127.0.0.1"), port).close();
                return;
            } catch (IOException notYet) {
                assertThat(i).as("sshd: %s", server).isLessThan(100);
                Thread.sleep(50);
            }
        }
    }

    @AfterAll
    void stop() throws Exception {
        if (server != null) {
            server.destroy();
            server.waitFor();
        }
        if (clients != null) {
            clients.close();
        }
        if (directory != null) {
            dev.carrel.core.tree.Trees.delete(
                    directory.resolveSibling("."), directory.getFileName().toString());
        }
    }

    private CommandResult lists(String host, String options) throws Exception {
        Clients running = Objects.requireNonNull(clients);
        return running.run(
                "mkdir -p ~/.ssh; printf 'StrictHostKeyChecking accept-new\\n"
                        + options
                        + "' >~/.ssh/config; git ls-remote ssh://"
                        + System.getProperty("user.name")
                        + "@"
                        + host
                        + ":"
                        + port
                        + running.repository()
                        + "; exit=$?; rm -r ~/.ssh; exit $exit",
                Map.of());
    }

    @Test
    void aLentKeyOpensAnAllowedHost() throws Exception {
        CommandResult result = lists(Clients.HOST, "IdentityFile /lent/key\\n");
        assertThat(result.exit()).as(Clients.said(result)).isZero();
        assertThat(result.outputText()).contains("refs/heads/main");
    }

    @Test
    void anotherHostIsDeniedAndSshSaysSo() throws Exception {
        CommandResult result = lists("ssh.denied.test", "IdentityFile /lent/key\\n");
        assertThat(result.exit()).isNotZero();
        assertThat(result.errorText())
                .contains("egress to ssh.denied.test:" + port + " is denied: no rule allows it");
    }

    @Test
    void withoutOneTheHostIsReachedAndNoKeyIsThere() throws Exception {
        CommandResult result = lists(Clients.HOST, "");
        assertThat(result.exit()).isNotZero();
        assertThat(result.errorText()).contains("Permission denied (publickey");
        assertThat(
                        Objects.requireNonNull(clients)
                                .run("ls -A ~; echo \"[$SSH_AUTH_SOCK]\"", Map.of())
                                .outputText())
                .doesNotContain(".ssh")
                .contains("[]");
    }
}
