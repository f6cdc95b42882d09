package dev.carrel.core.egress;

import java.io.IOException;

/** Moves bytes both ways until both directions are over, or one breaks. */
final class Relay {

    private final Connection connection;
    private final Wire client;
    private final Wire host;
    private volatile boolean broken;

    Relay(Connection connection, Wire host) {
        this.connection = connection;
        this.client = connection.client();
        this.host = host;
    }

    /** Moves all; true where both ends were reached, each after its last byte. */
    boolean run() throws InterruptedException {
        connection.mayNotStandStill();
        Thread up = Thread.ofVirtual().start(() -> half(client, host));
        half(host, client);
        up.join();
        return !broken;
    }

    private void half(Wire from, Wire to) {
        try {
            from.pumpTo(to);
            connection.halfClosed();
        } catch (IOException reset) {
            broken = true;
            // So that neither end takes what it got for all there is.
            host.reset();
            client.reset();
            return;
        }
        try {
            to.endOutput();
        } catch (IOException gone) {
            // It closed before; there is nobody to tell.
        }
    }
}
