package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressEvent.Protocol;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One connection of a client: its two sockets, what is open over it, and how long it may still
 * take. Its own thread runs it; the watch and whoever changes rules may cut it.
 */
final class Connection {

    /** How long the end of a connection may take: an answer is written, what comes is dropped. */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private static final int MOST_DROPPED = 256 * 1024;
    private static final Duration LONGEST_HALF_CLOSED = Duration.ofMinutes(5);

    private final long number;
    private final Border border;
    private final Wire client;
    private final AtomicReference<Optional<String>> cut = new AtomicReference<>(Optional.empty());
    private volatile Optional<Wire> host = Optional.empty();
    private volatile Optional<Passage> passage = Optional.empty();
    private volatile boolean late;

    /** When it has to be over, by the clock of nanoTime; with 0 it need not be. */
    private volatile long deadline;

    /** How much time every sign of life gives, in nanoseconds; with 0 it gives none. */
    private volatile long idle;

    Connection(long number, SocketChannel channel, Border border) {
        this.number = number;
        this.border = border;
        this.client = new Wire(channel, border.buffers(), this::life);
    }

    long number() {
        return number;
    }

    Wire client() {
        return client;
    }

    /** Serves it to its end; closes everything. */
    void run() throws InterruptedException {
        try {
            mustEndWithin(border.limits().headTime());
            int first = client.peek();
            if (first == SocksRequest.VERSION) {
                new SocksConversation(this, border).run();
            } else if (first >= 'A' && first <= 'Z') {
                new HttpConversation(this, border).run();
            } else if (first >= 0) {
                border.refused(number, Protocol.UNKNOWN, "neither HTTP nor SOCKS5 was spoken");
            }
        } catch (IOException broken) {
            // The client went away, or was cut; what was open has been reported.
        } finally {
            detach();
            client.release();
        }
    }

    /**
     * Takes the other end on, and says whom it is for. From then on a change of the rules ends it.
     *
     * @throws IOException where the rules changed while it was dialled
     */
    Wire attach(SocketChannel channel, Passage open) throws IOException {
        Wire wire = new Wire(channel, border.buffers(), this::life);
        host = Optional.of(wire);
        passage = Optional.of(open);
        // In this order: whoever changed the rules before this line did not see the passage.
        if (cut.get().isPresent() || !border.gate().stillAllows(open)) {
            cut("it is not allowed any more");
            throw new IOException("cut");
        }
        return wire;
    }

    /** Lets the other end go. No thread uses it any more. */
    void detach() {
        Optional<Wire> wire = host;
        host = Optional.empty();
        passage = Optional.empty();
        wire.ifPresent(Wire::release);
    }

    /** Why it was cut, if it was. */
    Optional<String> cutBecause() {
        return cut.get();
    }

    /** Whether the time for what it was doing is over. */
    boolean isLate() {
        return late;
    }

    /** Ends it at once, whatever it is doing. */
    void cut(String why) {
        cut.compareAndSet(Optional.empty(), Optional.of(why));
        host.ifPresent(Wire::close);
        client.close();
    }

    /** Ends what is not allowed any more. */
    void judgeAgain() {
        if (passage.filter(open -> !border.gate().stillAllows(open)).isPresent()) {
            cut("it is not allowed any more");
        }
    }

    /** Whatever comes next has to be over by then, however busy it is. */
    void mustEndWithin(Duration time) {
        idle = 0;
        deadline = System.nanoTime() + time.toNanos();
    }

    /** What comes next bounds itself. */
    void boundsItself() {
        idle = 0;
        deadline = 0;
    }

    /** What comes next may take for ever, but not stand still. */
    void mayNotStandStill() {
        idle = border.limits().idle().toNanos();
        life();
    }

    /** One of two directions is over; a client that is gone looks just like this. */
    void halfClosed() {
        idle = Math.min(idle, LONGEST_HALF_CLOSED.toNanos());
        life();
    }

    private void life() {
        long more = idle;
        if (more > 0) {
            deadline = System.nanoTime() + more;
        }
    }

    /** Called by the watch again and again. */
    void check(long now) {
        long until = deadline;
        if (until == 0 || now - until < 0) {
            return;
        }
        if (late || idle > 0) {
            cut("nothing moved for too long");
            return;
        }
        late = true;
        mustEndWithin(FAREWELL);
        try {
            // Wakes its thread, which says so to the client.
            client.endInput();
            host.ifPresent(Wire::close);
        } catch (IOException gone) {
            cut("it took too long");
        }
    }

    /**
     * Says a last thing to the client and closes. What the client still sends is dropped unread for
     * a moment: closing at once would throw away the answer with it.
     */
    void farewell(byte[] answer) throws IOException {
        mustEndWithin(FAREWELL);
        client.write(answer);
        client.endOutput();
        long most = client.received() + MOST_DROPPED;
        client.forget();
        while (client.received() < most && client.await()) {
            client.forget();
        }
    }
}
