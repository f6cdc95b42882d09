package dev.carrel.core.bwrap;

import dev.carrel.core.host.Socat;
import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A bridge from a Unix socket of the host to the loopback of a session: one small sandbox in the
 * session's network namespace that sees system programs, one directory with a socket, and nothing
 * of the session's files. No command of the session sees that socket.
 */
public final class BridgeOptions {

    /** Descriptor of the option file. */
    public static final int ARGS_DESCRIPTOR = 8;

    /** Descriptor of the file that receives the process number. */
    public static final int STATUS_DESCRIPTOR = 7;

    private static final String SOCKETS_INSIDE = "/bridge";

    /** Both ways through one bridge; copied at once. */
    private static final String BUFFER_BYTES = "262144";

    /**
     * How long a connection of which one direction has ended may go on in the other. socat's own
     * half second would cut a long answer to a short question; the proxy ends what is stuck.
     */
    private static final String HALF_CLOSED_SECONDS = "86400";

    private BridgeOptions() {}

    /** Where the bridge itself sees the socket of this name. */
    public static String inside(String socket) {
        return SOCKETS_INSIDE + "/" + socket;
    }

    /** The options; {@code sockets} is the directory in which the bridge makes the socket. */
    public static Options of(Path sockets, Path bwrap, String token) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "--unshare-user",
                                "--uid",
                                "1000",
                                "--gid",
                                "1000",
                                "--disable-userns",
                                "--unshare-pid",
                                // So that the process that bubblewrap names is socat itself.
                                "--as-pid-1",
                                "--unshare-ipc",
                                "--unshare-uts",
                                "--unshare-cgroup-try",
                                "--cap-drop",
                                "ALL",
                                "--die-with-parent",
                                "--new-session",
                                "--clearenv"));
        words.addAll(SystemPrograms.VIEW);
        words.addAll(List.of("--bind", sockets.toString(), SOCKETS_INSIDE));
        // By its token whoever clears a session up finds the bridge, too.
        words.addAll(List.of("--ro-bind", bwrap.toString(), PauseOptions.bwrapInside(token)));
        words.addAll(List.of("--dev-bind", "/dev/null", "/dev/null"));
        words.addAll(List.of("--chdir", "/", "--remount-ro", "/"));
        return new Options(words);
    }

    /**
     * The words to run, without the stage that opens the descriptors.
     *
     * @param socket the name of the socket in its directory
     * @param port of the session's loopback, where connections to the socket lead
     */
    public static List<String> argv(
            Identity identity, Joining joining, Path bwrap, String socket, int port) {
        List<String> words = new ArrayList<>(joining.network(identity));
        words.addAll(
                List.of(
                        bwrap.toString(),
                        "--args",
                        Integer.toString(ARGS_DESCRIPTOR),
                        "--json-status-fd",
                        Integer.toString(STATUS_DESCRIPTOR),
                        "--",
                        Socat.PROGRAM.toString(),
                        "-b",
                        BUFFER_BYTES,
                        "-t",
                        HALF_CLOSED_SECONDS));
        words.addAll(
                List.of(
                        "UNIX-LISTEN:" + inside(socket) + ",fork,backlog=512",
                        "TCP4:127.0.0.1:" + port));
        return words;
    }

    /**
     * The words of a program that listens at the loopback of a session, until somebody takes its
     * socket over and ends it. It serves nobody: what it would connect them with is in a directory
     * that the host does not have. By that name whoever clears the session up finds the program.
     */
    public static List<String> listening(
            Identity identity, Joining joining, int port, String token) {
        List<String> words = new ArrayList<>(joining.network(identity));
        words.addAll(Socat.listening(port, PauseOptions.bwrapInside(token)));
        return words;
    }
}
