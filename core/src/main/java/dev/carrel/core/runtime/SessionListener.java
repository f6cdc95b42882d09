package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.BridgeOptions;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.host.Loopback;
import dev.carrel.core.host.TakenSocket;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;

/**
 * A socket of this process that listens at the loopback of a running session: nothing stands
 * between a program of the session and this process.
 */
public final class SessionListener {

    private SessionListener() {}

    /**
     * Listens at 127.0.0.1 of the session until the channel is closed or this process ends; nothing
     * else is left.
     *
     * @return empty if a program of the session, or another process, listens there
     * @throws dev.carrel.core.failure.CarrelException if it cannot be done
     */
    public static Optional<ServerSocketChannel> open(
            SessionRuntime runtime,
            ProcessRunner runner,
            Identity identity,
            Joined joined,
            int port)
            throws InterruptedException {
        if (Loopback.of(joined.pausePid()).isTaken(port)) {
            return Optional.empty();
        }
        Command program =
                Command.of(
                        BridgeOptions.listening(identity, joined.joining(), port, runtime.token()));
        Optional<ServerSocketChannel> taken = TakenSocket.from(runner.start(program), port);
        if (taken.isPresent() && !joined.isAlive()) {
            // The number of a pause that was killed may have been another process's already.
            close(taken.get());
            throw new HostOperationException(
                    "the process that held the session was killed", "Try again.");
        }
        return taken;
    }

    private static void close(ServerSocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new HostOperationException("cannot stop listening: " + e.getMessage(), null, e);
        }
    }
}
