package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.BridgeOptions;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.Handover;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A socket of this process that listens at the loopback of a running session, so that nothing
 * stands between a program of the session and this process.
 *
 * <p>A socket belongs to the network it was made in, and no thread of a JVM can enter one. So a
 * program is started there that listens; its socket is taken over and the program killed. Whoever
 * connects in between is cut off.
 */
public final class SessionListener {

    private static final int READY_WITHIN_MILLIS = 10_000;
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private SessionListener() {}

    /**
     * Listens at 127.0.0.1 of the session until the channel is closed or this process ends; nothing
     * else is left.
     *
     * @return empty if a program of the session, or another process, listens there
     * @throws HostOperationException if it cannot be done
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
        RunningProcess program =
                runner.start(
                        Command.of(
                                BridgeOptions.listening(
                                        identity, joined.pausePid(), port, runtime.token())));
        try {
            OptionalInt listening = await(program, joined, port);
            if (listening.isEmpty()) {
                return taken(program);
            }
            int descriptor = Handover.take(program.pid(), listening.getAsInt());
            if (descriptor < 0) {
                throw new UnsupportedHostException(
                        "the socket in the session's network cannot be taken over: "
                                + Errno.describe(-descriptor),
                        "The kernel or the container forbids pidfd_getfd (kernel.yama.ptrace_scope"
                                + " is 3, or a filter); allow it. carrel doctor tries it.");
            }
            return Optional.of(channel(descriptor));
        } finally {
            program.kill();
            program.awaitExit();
        }
    }

    /** The program's descriptor of the socket; empty if the program has ended. */
    private static OptionalInt await(RunningProcess program, Joined joined, int port)
            throws InterruptedException {
        for (int waited = 0; waited < READY_WITHIN_MILLIS; waited++) {
            OptionalInt listening = Loopback.of(joined.pausePid()).listener(program.pid(), port);
            // The number of a pause that was killed may be another process's by now.
            if (listening.isPresent() && joined.isAlive()) {
                return listening;
            }
            if (!program.isAlive()) {
                return OptionalInt.empty();
            }
            Thread.sleep(1);
        }
        throw new HostOperationException(
                "nothing listened at port " + port + " of the session's network in time",
                "carrel doctor tries what it needs");
    }

    private static Optional<ServerSocketChannel> taken(RunningProcess program)
            throws InterruptedException {
        String complaint = program.await().errorText().strip();
        if (complaint.contains("Address already in use")) {
            return Optional.empty();
        }
        throw new HostOperationException(
                "the session's network cannot be listened at: "
                        + (complaint.isEmpty() ? "no reason was given" : complaint),
                "carrel doctor tries what it needs");
    }

    /**
     * The JDK makes no channel of a descriptor. So it makes one of a socket of its own, and that
     * socket is replaced below it before anybody accepts.
     */
    private static ServerSocketChannel channel(int descriptor) {
        try {
            ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.INET);
            boolean done = false;
            try {
                channel.bind(new InetSocketAddress(LOOPBACK, 0), 1);
                int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
                long self = ProcessHandle.current().pid();
                int own = Loopback.of(self).listener(self, port).orElse(-1);
                int result = Handover.rename(descriptor, own);
                if (result < 0) {
                    throw new IOException(Errno.describe(-result));
                }
                done = true;
                return channel;
            } finally {
                if (!done) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot listen in the session's network: " + e.getMessage(), null, e);
        } finally {
            Descriptors.close(descriptor);
        }
    }
}
