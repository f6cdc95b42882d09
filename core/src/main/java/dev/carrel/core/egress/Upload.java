package dev.carrel.core.egress;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The body of a request on its way to the host, on a thread of its own: hosts may answer before
 * they have all of it, and some clients send it only when told to go on.
 */
final class Upload {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final Wire client;
    private final Wire host;
    private final Framing framing;
    private volatile Optional<Thread> thread = Optional.empty();
    private volatile Optional<BadMessage> problem = Optional.empty();
    private volatile boolean complete;

    Upload(Wire client, Wire host, Framing framing) {
        this.client = client;
        this.host = host;
        this.framing = framing;
    }

    void start() {
        if (framing instanceof Framing.None) {
            complete = true;
        } else {
            thread = Optional.of(Thread.ofVirtual().start(this::move));
        }
    }

    private void move() {
        try {
            new Body(client, host, framing instanceof Framing.Chunked).move(framing);
            complete = true;
        } catch (BadMessage odd) {
            problem = Optional.of(odd);
            host.close();
        } catch (EOFException cutOff) {
            host.close();
        } catch (IOException refused) {
            // A host may stop listening and still answer; reading its answer tells.
        }
    }

    /** What was wrong with what the client sent, if anything was. */
    Optional<BadMessage> problem() {
        return problem;
    }

    /** Whether all of it was sent, after waiting so long at most. */
    boolean isComplete(Duration patience) throws InterruptedException {
        if (thread.isPresent() && !complete) {
            thread.get().join(patience);
        }
        return complete;
    }

    /** Stops it: when this returns nobody but the caller reads from the client. */
    void abandon() throws InterruptedException {
        host.close();
        if (thread.isPresent() && !thread.get().join(A_MOMENT)) {
            try {
                client.endInput();
            } catch (IOException gone) {
                client.close();
            }
            thread.get().join();
        }
    }
}
