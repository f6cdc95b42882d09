package dev.carrel.core.session.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.CommandResult;
import dev.carrel.core.testing.Requirements;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What fetches files, repositories and packages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DownloadClientsIT {

    private @Nullable Clients clients;

    private Clients clients() {
        return Objects.requireNonNull(clients);
    }

    @BeforeAll
    void start() throws Exception {
        Requirements.program("socat");
        clients = new Clients(List.of(), List.of());
        clients.server.serve("/file", "what is served");
    }

    @AfterAll
    void stop() throws Exception {
        if (clients != null) {
            clients.close();
        }
    }

    private void fetches(String client, String script) throws Exception {
        clients().reaches(script, "what is served");
        clients().isDenied(client, script);
    }

    @Test
    void curl() throws Exception {
        Requirements.program("curl");
        fetches("curl", "curl -sS --fail @URL@/file");
    }

    @Test
    void aServerOfAnAuthorityThatNobodyNamedIsNotTrusted() throws Exception {
        Requirements.program("curl");
        CommandResult result =
                clients().runWithoutAuthority("curl -sS --fail @URL@/file; echo \" $?\"");

        // Reached, and its certificate refused; the test above is the same with the authority.
        assertThat(Clients.said(result)).contains("certificate").contains(" 60\n");
    }

    @Test
    void wget() throws Exception {
        Requirements.program("wget");
        fetches("wget", "wget -nv --tries=1 -O - @URL@/file");
    }

    @Test
    void python() throws Exception {
        Requirements.program("python3");
        fetches(
                "python",
                "python3 -c 'import urllib.request as u; print(u.urlopen(\"@URL@/file\").read())'");
    }

    @Test
    void git() throws Exception {
        clients().server.serve("/project.git", clients().repository());
        String clone = "rm -rf copy && git clone -q @URL@/project.git copy && cat copy/a.txt";
        clients().reaches(clone, "one");
        clients().isDenied("git", clone);
    }

    @Test
    void pip() throws Exception {
        Requirements.program("python3");
        Requirements.file(java.nio.file.Path.of("/usr/bin/pip3"));
        Packages.wheel(clients().server);
        String install =
                "rm -rf p && /usr/bin/pip3 install -q --retries 0 --target p --index-url @URL@/simple sample"
                        + " && python3 -c 'import sys; sys.path.insert(0, \"p\"); import sample'";
        clients().reaches(install, "what is served");
        clients().isDenied("pip", install);
    }

    @Test
    void loopbackOfTheSessionIsReachedWithoutTheProxy() throws Exception {
        Requirements.program("python3");
        Requirements.program("curl");
        CommandResult result =
                clients()
                        .run(
                                """
                                mkdir -p www && cd www && echo own >index.html
                                python3 -m http.server 8123 >/dev/null 2>&1 &
                                for i in 1 2 3 4 5 6 7 8 9; do
                                    curl -sf http://localhost:8123/ && break; sleep 0.3
                                done
                                wget -q -O - http://127.0.0.1:8123/
                                python3 -c 'import urllib.request as u; print(u.urlopen("http://localhost:8123/").read())'
                                """,
                                Map.of());
        assertThat(result.outputText()).isEqualTo("own\nown\nb'own\\n'\n");
    }
}
