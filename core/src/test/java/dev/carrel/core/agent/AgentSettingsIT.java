package dev.carrel.core.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.posix.Identity;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the settings of a backend do to a real run. */
@Timeout(120)
class AgentSettingsIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    @BeforeEach
    void needSandboxes() {
        Requirements.bwrap();
    }

    private static Backend backend(boolean enabled, Optional<String> baseUrl) {
        return AgentFixture.backend(enabled, Optional.empty(), baseUrl, LONG);
    }

    @Test
    void aServiceOnTheLoopbackOfThisMachineIsReachedAtItsOwnPlaceAndNotWithoutTheSetting()
            throws Exception {
        Requirements.program("curl");
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> answer(server));
            String url = "http://127.0.0.1:" + server.getLocalPort();
            String ask = "echo say $(curl -s --noproxy '*' -m 5 " + url + "/)";

            try (AgentFixture agents =
                    AgentFixture.open(
                            Tier.SANDBOX, ShellAgent.CLOSED, backend(true, Optional.of(url)))) {
                assertThat(agents.run(ask).text()).isEqualTo("model");
            }
            try (AgentFixture agents =
                    AgentFixture.open(
                            Tier.SANDBOX, ShellAgent.CLOSED, backend(true, Optional.empty()))) {
                assertThat(agents.run(ask).text()).isEmpty();
            }
        }
    }

    private static void answer(ServerSocket server) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream()
                            .write(
                                    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nmodel"
                                            .getBytes(US_ASCII));
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void whatIsNotEnabledIsNotRun() throws Exception {
        try (AgentFixture agents =
                AgentFixture.open(
                        Tier.PROCESS, ShellAgent.CLOSED, backend(false, Optional.empty()))) {
            assertThatThrownBy(() -> agents.runWithoutKey("echo x >x; echo say x"))
                    .isInstanceOf(ConflictException.class)
                    .hasMessageContaining("external_agent.backends.shell.enabled is false");
            assertThat(agents.app.resolve("x")).doesNotExist();
        }
    }

    @Test
    void whatRefusesRootIsNoPlainProcessOfRootAndWorksInASession() throws Exception {
        ShellAgent refusing = new ShellAgent(List.of(), true);
        try (AgentFixture agents =
                AgentFixture.open(Tier.PROCESS, refusing, backend(true, Optional.empty()))) {
            if (Identity.effectiveUid() == 0) {
                assertThatThrownBy(() -> agents.run("echo x >x; echo say x"))
                        .isInstanceOf(ConflictException.class)
                        .hasMessageContaining("refuses to run as root");
            } else {
                assertThat(agents.run("echo x >x; echo say x").text()).isEqualTo("x");
            }
            assertThat(Files.exists(agents.app.resolve("x")))
                    .isEqualTo(Identity.effectiveUid() != 0);
        }
        try (AgentFixture agents =
                AgentFixture.open(Tier.SANDBOX, refusing, backend(true, Optional.empty()))) {
            assertThat(agents.run("echo say $(id -u)").text()).isNotEqualTo("0");
        }
    }

    @Test
    void aServiceElsewhereIsNamedWithItsOwnPort() throws Exception {
        Backend elsewhere =
                AgentFixture.backend(
                        true,
                        Optional.of(List.of()),
                        Optional.of("https://gate.example:8443"),
                        LONG);
        try (AgentFixture agents = AgentFixture.open(Tier.SANDBOX, ShellAgent.CLOSED, elsewhere)) {
            AgentEnding ending = agents.run("echo say never").ending();
            assertThat(ending.message()).contains("gate.example:8443,").doesNotContain(":443");
            assertThat(ending.remedy().orElseThrow()).contains("[+gate.example:8443]");
        }
    }
}
