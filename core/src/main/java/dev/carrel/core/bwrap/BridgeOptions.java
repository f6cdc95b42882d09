package dev.carrel.core.bwrap;

import dev.carrel.core.host.Socat;
import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A bridge between the loopback of a session and a Unix socket of the host: one small sandbox in
 * the session's network namespace that sees system programs, one directory with a socket, and
 * nothing of the session's files. No command of the session sees that socket.
 */
public final class BridgeOptions {

    /** Descriptor of the option file. */
    public static final int ARGS_DESCRIPTOR = 8;

    /** Descriptor of the file that receives the process number. */
    public static final int STATUS_DESCRIPTOR = 7;

    /** The name of the socket in its directory. */
    public static final String SOCKET = "socket";

    private static final String SOCKETS_INSIDE = "/bridge";

    /** Both ways through one bridge; copied at once. */
    private static final String BUFFER_BYTES = "262144";

    /**
     * How long a connection of which one direction has ended may go on in the other. socat's own
     * half second would cut a long answer to a short question; the proxy ends what is stuck.
     */
    private static final String HALF_CLOSED_SECONDS = "86400";

    private BridgeOptions() {}

    /** Which way connections go. */
    public sealed interface Direction {
        /**
         * The port of the session's loopback: listened at when going out, connected to going in.
         */
        int port();

        /** From the loopback of the session to the socket of the host. */
        record Outward(int port) implements Direction {}

        /** From a socket that the bridge makes to the loopback of the session. */
        record Inward(int port) implements Direction {}
    }

    /** The options; {@code sockets} is the directory with the socket. */
    public static Options of(Path sockets, Direction direction, Path bwrap, String token) {
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
        String bind =
                switch (direction) {
                    case Direction.Outward _ -> "--ro-bind";
                    case Direction.Inward _ -> "--bind";
                };
        words.addAll(List.of(bind, sockets.toString(), SOCKETS_INSIDE));
        // By its token whoever clears a session up finds the bridge, too.
        words.addAll(List.of("--ro-bind", bwrap.toString(), PauseOptions.bwrapInside(token)));
        words.addAll(List.of("--dev-bind", "/dev/null", "/dev/null"));
        words.addAll(List.of("--chdir", "/", "--remount-ro", "/"));
        return new Options(words);
    }

    /** The words to run, without the stage that opens the descriptors. */
    public static List<String> argv(
            Identity identity, long pausePid, Path bwrap, Direction direction) {
        List<String> words = new ArrayList<>(Switching.to(identity));
        words.addAll(new Joining(pausePid, true).network());
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
        words.addAll(addresses(direction));
        return words;
    }

    private static List<String> addresses(Direction direction) {
        String socket = SOCKETS_INSIDE + "/" + SOCKET;
        return switch (direction) {
            case Direction.Outward(int port) ->
                    List.of(
                            "TCP4-LISTEN:" + port + ",bind=127.0.0.1,reuseaddr,fork,backlog=512",
                            "UNIX-CONNECT:" + socket);
            case Direction.Inward(int port) ->
                    List.of(
                            "UNIX-LISTEN:" + socket + ",fork,backlog=512",
                            "TCP4:127.0.0.1:" + port);
        };
    }
}
