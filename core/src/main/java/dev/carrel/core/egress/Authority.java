package dev.carrel.core.egress;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.Visible;

/** A host and a port as a request names them. */
record Authority(Host host, int port) {

    /**
     * Reads {@code host:port}.
     *
     * @param defaultPort where none is written; negative where one has to be
     */
    static Authority parse(String text, int defaultPort) throws BadMessage {
        if (text.indexOf('@') >= 0) {
            throw BadMessage.request("a user in the address of a host is refused");
        }
        int close = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(close, 0));
        int port = colon < 0 ? defaultPort : Ports.parse(text.substring(colon + 1));
        if (port < 0) {
            throw BadMessage.request(
                    Visible.quoted(text) + " has no port from 1 to 65535 in plain digits");
        }
        try {
            return new Authority(Host.parse(colon < 0 ? text : text.substring(0, colon)), port);
        } catch (InvalidInputException odd) {
            throw BadMessage.request(odd.message());
        }
    }

    /** As a Host field says it: without a port that the scheme means anyway. */
    String inField() {
        return port == 80 ? host.toString() : host + ":" + port;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
