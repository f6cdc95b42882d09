package dev.carrel.core.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BridgeOptionsTest {

    private static final Path BWRAP = Path.of("/opt/bwrap");
    private static final Identity CALLER = new Identity(1000, 1000, false);

    @Test
    void aBridgeSeesSystemProgramsAndTheDirectoryOfItsSocket() throws IOException {
        Golden.assertSame(
                BridgeOptions.of(Path.of("/run/bridges/1/sockets"), BWRAP, "TOKEN").words(),
                "bridge.txt");
    }

    @Test
    void itEntersTheNetworkAndConnectsToOnePort() {
        assertThat(
                        String.join(
                                " ",
                                BridgeOptions.argv(
                                        CALLER, new Joining(42, true, true), BWRAP, "7.1.2", 3000)))
                .isEqualTo(
                        "nsenter --preserve-credentials -U -n -t 42 /opt/bwrap --args 8"
                                + " --json-status-fd 7 -- /usr/bin/socat -b 262144 -t 86400"
                                + " UNIX-LISTEN:/bridge/7.1.2,fork,backlog=512"
                                + " TCP4:127.0.0.1:3000");
    }

    @Test
    void whatListensInsideHasNoRightsAndServesNobody() {
        List<String> words =
                BridgeOptions.listening(CALLER, new Joining(42, true, true), 3128, "TOKEN");
        assertThat(String.join(" ", words))
                .isEqualTo(
                        "nsenter --preserve-credentials -U -n -t 42 setpriv --bounding-set=-all"
                                + " --inh-caps=-all /usr/bin/socat"
                                + " TCP4-LISTEN:3128,bind=127.0.0.1,reuseaddr,fork,backlog=1024"
                                + " /run/carrel/TOKEN/bwrap");
        assertThat(
                        BridgeOptions.listening(
                                new Identity(7, 8, true),
                                new Joining(42, true, false),
                                3128,
                                "TOKEN"))
                .startsWith("setpriv", "--reuid=7", "--regid=8", "--clear-groups", "nsenter");
    }
}
