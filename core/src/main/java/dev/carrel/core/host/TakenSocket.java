package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.Handover;
import dev.carrel.core.process.RunningProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A socket that listens in another network, for this process. A socket belongs to the network it
 * was made in, and no thread of a JVM can enter one: a program that was started there listens, its
 * socket is taken over, and it is killed. Whoever connects in between is cut off.
 */
public final class TakenSocket {

    private static final int READY_WITHIN_MILLIS = 10_000;
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private TakenSocket() {}

    /**
     * Takes over the socket with which a program listens at 127.0.0.1, and ends the program.
     *
     * @param program the words of {@link Socat#listening}, started in that network
     * @return empty if the port is taken there
     * @throws HostOperationException if the program cannot listen
     * @throws UnsupportedHostException if the machine forbids it
     */
    public static Optional<ServerSocketChannel> from(RunningProcess program, int port)
            throws InterruptedException {
        try {
            OptionalInt listening = await(program, port);
            if (listening.isEmpty()) {
                return taken(program);
            }
            int descriptor = Handover.take(program.pid(), listening.getAsInt());
            if (descriptor < 0) {
                throw new UnsupportedHostException(
                        "a socket of a session's network cannot be taken over: "
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
    private static OptionalInt await(RunningProcess program, int port) throws InterruptedException {
        for (int waited = 0; waited < READY_WITHIN_MILLIS; waited++) {
            OptionalInt listening = Loopback.listener(program.pid(), port);
            if (listening.isPresent() || !program.isAlive()) {
                return listening;
            }
            Thread.sleep(1);
        }
        throw new HostOperationException(
                "nothing listened at port " + port + " of a session's network in time",
                "carrel doctor tries what it needs");
    }

    private static Optional<ServerSocketChannel> taken(RunningProcess program)
            throws InterruptedException {
        String complaint = program.await().errorText().strip();
        if (complaint.contains("Address already in use")) {
            return Optional.empty();
        }
        throw new HostOperationException(
                "a session's network cannot be listened at: "
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
                int own = Loopback.listener(ProcessHandle.current().pid(), port).orElse(-1);
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
                    "cannot listen in a session's network: " + e.getMessage(), null, e);
        } finally {
            Descriptors.close(descriptor);
        }
    }
}
