package dev.carrel.core.session.clients;

import dev.carrel.core.testing.Requirements;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What fetches for compilers that are large to install. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CompilerClientsIT {

    private @Nullable Clients clients;

    private Clients clients() {
        return Objects.requireNonNull(clients);
    }

    @BeforeAll
    void start() throws Exception {
        Requirements.program("socat");
        clients = new Clients(List.of(), List.of());
    }

    @AfterAll
    void stop() throws Exception {
        if (clients != null) {
            clients.close();
        }
    }

    @Test
    void go() throws Exception {
        Requirements.program("go");
        Packages.go(clients().server);
        String download =
                "export GOPROXY=@URL@/go GOSUMDB=off GOFLAGS=-modcacherw GOMODCACHE=$(mktemp -d)\n"
                        + "go mod download -json example.test/sample@v1.0.0";
        clients().reachesNoOther("go", download, "/sample@v1.0.0\"");
    }

    @Test
    void cargo() throws Exception {
        Requirements.file(java.nio.file.Path.of("/usr/bin/cargo"));
        String line = Packages.cargo(clients().server);
        String fetch =
                """
                rm -rf c && mkdir -p c/src c/index/sa/mp c/home && cd c && touch src/lib.rs
                echo '{"dl":"@URL@/crates"}' >index/config.json
                echo '%s' >index/sa/mp/sample
                cd index && git init -q && git add . && git -c user.name=t -c user.email=t commit -qm x && cd ..
                cat >Cargo.toml <<E
                [package]
                name = "project"
                version = "1.0.0"
                [dependencies]
                sample = { version = "1", registry = "test" }
                E
                export CARGO_HOME=$PWD/home CARGO_NET_RETRY=0 CARGO_REGISTRIES_TEST_INDEX=file://$PWD/index
                PATH=/usr/bin:/bin cargo fetch
                """
                        .formatted(line);
        clients().reachesNoOther("cargo", fetch, "Downloaded sample");
    }
}
