package dev.carrel.core.session.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.CommandResult;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Path;
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

    /** Not the first in PATH, which may be a script that looks for it each time. */
    private static final Path PYTHON = Path.of("/usr/bin/python3");

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
        clients().reachesNoOther(client, script, "what is served");
    }

    @Test
    void curl() throws Exception {
        Requirements.program("curl");
        fetches("curl", "curl -sS --fail @URL@/file @DENIED@/file");
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
        fetches("wget", "wget -nv --tries=1 -O - @URL@/file @DENIED@/file");
    }

    @Test
    void python() throws Exception {
        Requirements.file(PYTHON);
        fetches(
                "python",
                PYTHON
                        + " -uc 'import sys, urllib.request as u; [print(u.urlopen(a).read()) for a in"
                        + " sys.argv[1:]]' @URL@/file @DENIED@/file");
    }

    @Test
    void git() throws Exception {
        clients().server.serve("/project.git", clients().repository());
        String clone = "rm -rf copy && git clone -q @URL@/project.git copy && cat copy/a.txt";
        clients().reachesNoOther("git", clone, "one");
    }

    @Test
    void pip() throws Exception {
        Requirements.file(PYTHON);
        Requirements.file(Path.of("/usr/bin/pip3"));
        Packages.wheel(clients().server);
        String install =
                "rm -rf p && /usr/bin/pip3 install -q --retries 0 --disable-pip-version-check"
                        + " --no-compile --target p --index-url @URL@/simple sample"
                        + " && cat p/sample.py";
        fetches("pip", install);
    }

    @Test
    void loopbackOfTheSessionIsReachedWithoutTheProxy() throws Exception {
        Requirements.file(PYTHON);
        Requirements.program("curl");
        CommandResult result =
                clients()
                        .run(
                                """
                                mkdir -p www && cd www && echo own >index.html
                                @PYTHON@ -m http.server 8123 >/dev/null 2>&1 &
                                for i in 1 2 3 4 5 6 7 8 9; do
                                    curl -sf http://localhost:8123/ && break; sleep 0.3
                                done
                                wget -q -O - http://127.0.0.1:8123/
                                @PYTHON@ -c 'import urllib.request as u; print(u.urlopen("http://localhost:8123/").read())'
                                """
                                        .replace("@PYTHON@", PYTHON.toString()),
                                Map.of());
        assertThat(result.outputText()).isEqualTo("own\nown\nb'own\\n'\n");
    }
}
