package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.carrel.system.Installation.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A list of hosts, changed while the session lives, and a port that is published. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EgressSystemIT {

    /** A client that needs nothing but a shell. */
    private static final String GET =
            "exec 3<>/dev/tcp/127.0.0.1/${HTTP_PROXY##*:}; "
                    + "printf 'GET http://%s/ HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n'"
                    + " \"$1\" \"$1\" >&3; cat <&3";

    private Installation installation;
    private HttpServer server;
    private String host;
    private String literal;

    @BeforeAll
    void open() throws Exception {
        installation = Installation.open();
        installation.needs("socat");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] body = "from the host\n".getBytes(StandardCharsets.US_ASCII);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        host = "registry.example.org:" + server.getAddress().getPort();
        literal = "127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterAll
    void close() throws Exception {
        if (server != null) {
            server.stop(0);
        }
        if (installation != null) {
            installation.close();
        }
    }

    private Answer get(String session, String from) throws Exception {
        return installation.carrel("exec", session, "--", "bash", "-c", GET, "get", from);
    }

    @Test
    void aListHoldsAndFollowsChanges() throws Exception {
        String id = made();

        assertThat(get(id, host).out()).startsWith("HTTP/1.1 200 ").endsWith("from the host\n");

        Answer denied = get(id, "other.example.org");
        assertThat(denied.out()).startsWith("HTTP/1.1 403 ");
        assertThat(denied.err())
                .contains(
                        "carrel: egress to other.example.org:80 was denied: no rule allows it; to"
                                + " allow it: carrel egress "
                                + id
                                + " allow other.example.org:80");

        assertThat(installation.carrel("egress", id, "deny", host).exit()).isZero();
        assertThat(get(id, host).out()).startsWith("HTTP/1.1 403 ");
        assertThat(installation.carrel("egress", id, "reset", host).exit()).isZero();
        assertThat(get(id, host).out()).startsWith("HTTP/1.1 200 ");

        assertThat(installation.carrel("egress", id, "--json").out())
                .contains("{\"effect\":\"allow\",\"rule\":\"" + host + "\",\"from\":\"session\"}")
                .contains("\"host\":\"other.example.org\",\"port\":80,\"allowed\":0,\"denied\":1");
        assertThat(installation.carrel("egress", id, "log").out())
                .contains("allowed by rule '" + host + "', to 127.0.0.1");
    }

    @Test
    void whereTheProcessThatServesIsKilledNothingPassesAndTheNextCommandHasItAgain()
            throws Exception {
        String id = made();
        Process serving = exec(id, "echo ready; sleep 600");
        assertThat(serving.inputReader().readLine()).isEqualTo("ready");
        Process other =
                exec(
                        id,
                        "exec 3<>/dev/tcp/127.0.0.1/3128 && echo open; read -r _ <&3;"
                                // The kernel closes what the killed one had open one by one.
                                + " for i in {1..50}; do (exec 4<>/dev/tcp/127.0.0.1/3128)"
                                + " || { echo closed; exit; }; sleep 0.1; done");
        BufferedReader said = other.inputReader();
        assertThat(said.readLine()).isEqualTo("open");

        serving.destroyForcibly().waitFor();

        assertThat(said.readLine()).isEqualTo("closed");
        other.waitFor();
        assertThat(get(id, host).out()).startsWith("HTTP/1.1 200 ").endsWith("from the host\n");
    }

    @Test
    void withoutSocatWhatReachesAHostIsRefusedAndAllElseRuns() throws Exception {
        List<String> before = installation.sessions();
        Answer refused = withoutSocat("run", "--allow", "example.org", "--", "true");
        assertThat(refused.exit()).isEqualTo(125);
        assertThat(refused.err())
                .contains("there is no /usr/bin/socat on this machine", "apt install socat");
        assertThat(installation.sessions()).isEqualTo(before);

        assertThat(withoutSocat("run", "--", "echo", "ran").out()).isEqualTo("ran\n");
        assertThat(withoutSocat("doctor").out()).contains("there is no /usr/bin/socat");
    }

    /** With the program hidden by a mount that others do not see. */
    private Answer withoutSocat(String... words) throws Exception {
        String hide = "mount --bind /dev/null /usr/bin/socat && exec \"$@\"";
        List<String> argv = new ArrayList<>();
        int uid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        int gid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:gid");
        if (uid == 0) {
            argv.addAll(List.of("unshare", "--mount", "sh", "-c", hide, "sh"));
        } else {
            argv.addAll(List.of("unshare", "--user", "--map-root-user", "--mount"));
            argv.addAll(List.of("sh", "-c", hide, "sh"));
            argv.addAll(List.of("unshare", "--user", "--map-user=" + uid, "--map-group=" + gid));
        }
        argv.add(Installation.program());
        argv.addAll(List.of(words));
        return installation.host(argv.toArray(String[]::new));
    }

    private Process exec(String session, String script) throws IOException {
        return installation
                .prepared(Installation.program(), "exec", session, "--", "bash", "-c", script)
                .start();
    }

    private String made() throws Exception {
        return installation
                .carrel(
                        "session",
                        "new",
                        "--set",
                        "egress.hosts=registry.example.org=127.0.0.1",
                        "--allow",
                        host,
                        "--allow",
                        literal)
                .out()
                .strip();
    }

    @Test
    void aPublishedPortIsThereWhileItsCommandRuns() throws Exception {
        String id = installation.carrel("session", "new").out().strip();
        int port = freePort();
        Process serving =
                installation
                        .prepared(
                                Installation.program(),
                                "exec",
                                id,
                                "--publish",
                                Integer.toString(port),
                                "--",
                                "socat",
                                "TCP-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr",
                                "EXEC:echo published")
                        .start();
        String answer = "";
        while (answer.isEmpty() && serving.isAlive()) {
            answer = read(port);
            Thread.sleep(50);
        }

        assertThat(answer).isEqualTo("published\n");
        assertThat(serving.waitFor()).isZero();
        assertThat(read(port)).isEmpty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String read(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException nobodyThere) {
            return "";
        }
    }
}
