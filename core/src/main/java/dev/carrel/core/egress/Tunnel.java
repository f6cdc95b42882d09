package dev.carrel.core.egress;

import dev.carrel.core.egress.ClientHello.Beginning;
import dev.carrel.core.egress.Gate.Judgement;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressDenial;
import dev.carrel.core.policy.EgressEvent.Protocol;
import dev.carrel.core.policy.EgressRule.Traffic;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.Visible;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A tunnel to a host that was judged: dialled, granted, and, but for {@code tcp://}, opened only
 * when the client begins TLS for that very host.
 */
final class Tunnel {

    private final Connection connection;
    private final Border border;
    private final Protocol protocol;
    private final Authority to;

    Tunnel(Connection connection, Border border, Protocol protocol, Authority to) {
        this.connection = connection;
        this.border = border;
        this.protocol = protocol;
        this.to = to;
    }

    /** The host could not be reached; nothing was granted yet. */
    static final class UnreachableException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient IOException reason;

        UnreachableException(IOException reason) {
            super(reason);
            this.reason = reason;
        }

        IOException reason() {
            return reason;
        }
    }

    /**
     * Serves it to its end.
     *
     * @param granted what tells the client that it may begin
     */
    void run(Judgement.Open open, byte[] granted)
            throws IOException, InterruptedException, UnreachableException {
        Passage passage;
        Wire host;
        try {
            connection.boundsItself();
            Dialer.Dialled dialled = border.dialer().dial(open.addresses(), to.port());
            passage = new Passage(to, open.rule(), dialled.address());
            host = connection.attach(dialled.channel(), passage);
            connection.mustEndWithin(border.limits().dialTime());
            border.dialer().ask(host, to, open.addresses().stream().findFirst());
        } catch (IOException failed) {
            throw new UnreachableException(failed);
        } catch (BadMessage odd) {
            throw new UnreachableException(new IOException(odd.why(), odd));
        }
        connection.mustEndWithin(border.limits().headTime());
        connection.client().write(granted);
        ByteBuffer first = ByteBuffer.allocate(0);
        if (open.rule().traffic() == Traffic.WEB) {
            ClientHello.Read read = ClientHello.read(connection.client());
            Optional<EgressDenial> denial = judge(read.beginning());
            if (denial.isPresent()) {
                refuse(denial.get(), read);
                return;
            }
            first = read.bytes();
        }
        relay(passage, host, first);
    }

    private void relay(Passage passage, Wire host, ByteBuffer first)
            throws IOException, InterruptedException {
        border.allowed(connection.number(), protocol, passage);
        boolean whole = false;
        try {
            connection.mayNotStandStill();
            host.write(first);
            whole = new Relay(connection, host).run();
        } finally {
            Optional<String> end = connection.cutBecause().or(() -> Optional.of("reset"));
            border.closed(connection.number(), passage, host, whole ? Optional.empty() : end);
        }
    }

    private Optional<EgressDenial> judge(Beginning beginning) {
        return switch (beginning) {
            case Beginning.Silence _ when !connection.isLate() -> Optional.empty();
            case Beginning.Silence _, Beginning.Other _ -> denial(new EgressDenial.NotTls());
            case Beginning.Tls(Optional<String> name) ->
                    agrees(name)
                            ? Optional.empty()
                            : denial(
                                    new EgressDenial.OtherName(name.map(Visible::text).orElse("")));
        };
    }

    private Optional<EgressDenial> denial(EgressDenial.Reason reason) {
        return Optional.of(new EgressDenial(to.host(), to.port(), reason));
    }

    /** An address is never named in TLS, and a name always is. */
    private boolean agrees(Optional<String> named) {
        return switch (to.host()) {
            case Host.Literal _ -> named.isEmpty();
            case Host.Name host -> named.filter(name -> isSame(name, host)).isPresent();
        };
    }

    private static boolean isSame(String name, Host host) {
        try {
            return Host.parse(name).equals(host);
        } catch (InvalidInputException odd) {
            return false;
        }
    }

    private void refuse(EgressDenial denial, ClientHello.Read read) throws IOException {
        border.denied(connection.number(), protocol, denial);
        byte[] answer =
                switch (read.beginning()) {
                    case Beginning.Tls _ -> Answers.TLS_ALERT;
                    case Beginning.Other _ when ClientHello.looksLikeHttp(read.bytes()) ->
                            Answers.denied(denial, border.settings().command());
                    case Beginning.Other _, Beginning.Silence _ -> new byte[0];
                };
        connection.farewell(answer);
    }
}
