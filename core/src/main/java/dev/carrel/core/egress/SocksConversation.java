package dev.carrel.core.egress;

import dev.carrel.core.egress.Gate.Judgement;
import dev.carrel.core.policy.EgressDenial;
import dev.carrel.core.policy.EgressEvent.Protocol;
import java.io.IOException;
import java.net.ConnectException;

/** Serves a client that speaks SOCKS5. */
final class SocksConversation {

    private final Connection connection;
    private final Border border;

    SocksConversation(Connection connection, Border border) {
        this.connection = connection;
        this.border = border;
    }

    void run() throws IOException, InterruptedException {
        Wire client = connection.client();
        byte[] greeting = SocksRequest.greeting(client);
        if (!SocksRequest.accepts(greeting)) {
            refused("the client wants to authenticate itself");
            connection.farewell(greeting);
            return;
        }
        client.write(greeting);
        Authority to;
        try {
            to = SocksRequest.read(client);
        } catch (SocksRequest.RefusedException refused) {
            refused(refused.why());
            connection.farewell(SocksRequest.answer(refused.code()));
            return;
        } catch (BadMessage odd) {
            refused(odd.why());
            connection.farewell(SocksRequest.answer(SocksRequest.NOT_ALLOWED));
            return;
        }
        serve(to);
    }

    private void refused(String why) {
        border.refused(connection.number(), Protocol.SOCKS, why);
    }

    private void serve(Authority to) throws IOException, InterruptedException {
        connection.boundsItself();
        switch (border.gate().judge(to)) {
            case Judgement.Denied(EgressDenial denial) -> {
                border.denied(connection.number(), Protocol.SOCKS, denial);
                connection.farewell(SocksRequest.answer(SocksRequest.NOT_ALLOWED));
            }
            case Judgement.Unresolved(String why) -> failed(to, why, SocksRequest.HOST_UNREACHABLE);
            case Judgement.Open open -> {
                try {
                    new Tunnel(connection, border, Protocol.SOCKS, to)
                            .run(open, SocksRequest.answer(SocksRequest.GRANTED));
                } catch (Tunnel.UnreachableException unreachable) {
                    boolean refused = unreachable.reason() instanceof ConnectException;
                    failed(
                            to,
                            Dialer.why(unreachable.reason()),
                            refused ? SocksRequest.REFUSED : SocksRequest.HOST_UNREACHABLE);
                }
            }
        }
    }

    private void failed(Authority to, String why, int code) throws IOException {
        border.failed(connection.number(), Protocol.SOCKS, to, why);
        connection.farewell(SocksRequest.answer(code));
    }
}
