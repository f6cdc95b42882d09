package dev.carrel.core.host;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.EgressPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The program of which a session's way out is made. What reaches nothing needs none. */
public final class Socat {

    /** Where it is looked for: the sandboxes of bridges see the system's programs only. */
    public static final Path PROGRAM = Path.of("/usr/bin/socat");

    static final String CURE = "apt install socat";

    private Socat() {}

    /**
     * The words that listen at 127.0.0.1 of the network they are started in, and serve nobody.
     *
     * @param nothing a file in a directory that does not exist: what a client would be connected
     *     with
     */
    public static List<String> listening(int port, String nothing) {
        return List.of(
                // The pause ends what is left over; the kernel shows it nothing that has more
                // rights than it has itself.
                "setpriv",
                "--bounding-set=-all",
                "--inh-caps=-all",
                PROGRAM.toString(),
                "TCP4-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr,fork,backlog=1024",
                nothing);
    }

    /**
     * Fails where it is missing.
     *
     * @throws UnsupportedHostException with the cure
     */
    public static void require() {
        require(PROGRAM);
    }

    /** The same where a policy needs it. */
    public static void requireFor(EgressPolicy egress) {
        if (!egress.isNothing()) {
            require();
        }
    }

    static void require(Path program) {
        if (!Files.isExecutable(program)) {
            throw new UnsupportedHostException(
                    "there is no "
                            + program
                            + " on this machine: without it no session can reach a host or a port, or"
                            + " publish one, and nothing was started",
                    CURE + "; carrel doctor tries it");
        }
    }
}
