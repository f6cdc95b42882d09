package dev.carrel.core.egress;

import dev.carrel.core.egress.Gate.Judgement;
import dev.carrel.core.policy.EgressDenial;
import dev.carrel.core.policy.EgressEvent.Protocol;
import java.io.EOFException;
import java.io.IOException;

/**
 * Serves a client that speaks HTTP: one request after the other, each judged by itself. Whatever is
 * denied, malformed or failed is the last one; what stands behind it is never looked at.
 */
final class HttpConversation {

    private final Connection connection;
    private final Border border;

    HttpConversation(Connection connection, Border border) {
        this.connection = connection;
        this.border = border;
    }

    void run() throws IOException, InterruptedException {
        while (connection.client().peek() >= 0) {
            connection.mustEndWithin(border.limits().headTime());
            if (!one()) {
                return;
            }
            connection.mustEndWithin(border.limits().keepAlive());
        }
    }

    /** Serves one request; whether another one may follow. */
    private boolean one() throws IOException, InterruptedException {
        RequestHead request;
        try {
            request = RequestHead.read(connection.client(), border.limits().headBytes());
        } catch (BadMessage bad) {
            return refuse(bad);
        } catch (EOFException cutOff) {
            if (connection.isLate()) {
                return refuse(new BadMessage(408, "the head of the request took too long"));
            }
            throw cutOff;
        }
        connection.boundsItself();
        Authority to = request.authority();
        return switch (border.gate().judge(to)) {
            case Judgement.Denied(EgressDenial denial) -> {
                border.denied(connection.number(), protocol(request), denial);
                connection.farewell(Answers.denied(denial, border.settings().command()));
                yield false;
            }
            case Judgement.Unresolved(String why) -> failed(request, why);
            case Judgement.Open open -> serve(request, open);
        };
    }

    private boolean serve(RequestHead request, Judgement.Open open)
            throws IOException, InterruptedException {
        if (!isTunnel(request)) {
            return new Exchange(connection, border, request).run(open);
        }
        try {
            new Tunnel(connection, border, Protocol.CONNECT, request.authority())
                    .run(open, Answers.ESTABLISHED);
        } catch (Tunnel.UnreachableException unreachable) {
            return failed(request, Dialer.why(unreachable.reason()));
        }
        return false;
    }

    private boolean failed(RequestHead request, String why) throws IOException {
        border.failed(connection.number(), protocol(request), request.authority(), why);
        connection.farewell(Answers.failed(request.authority(), why));
        return false;
    }

    private boolean refuse(BadMessage bad) throws IOException {
        border.refused(connection.number(), Protocol.HTTP, bad.why());
        connection.farewell(Answers.refused(bad.status(), bad.why()));
        return false;
    }

    private static boolean isTunnel(RequestHead request) {
        return request.method().equals("CONNECT");
    }

    private static Protocol protocol(RequestHead request) {
        return isTunnel(request) ? Protocol.CONNECT : Protocol.HTTP;
    }
}
