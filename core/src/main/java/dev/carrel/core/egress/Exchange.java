package dev.carrel.core.egress;

import dev.carrel.core.egress.Fields.Field;
import dev.carrel.core.egress.Gate.Judgement;
import dev.carrel.core.policy.EgressEvent.Protocol;
import dev.carrel.core.policy.IpAddress;
import dev.carrel.core.policy.Upstream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One request in plain HTTP and its answer, over a connection to the host that serves nothing else.
 * Both are written anew from what was understood, so that host and client understand the same.
 */
final class Exchange {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);
    private static final int MOST_INTERIM = 32;

    private final Connection connection;
    private final Border border;
    private final RequestHead request;
    private final Wire client;
    private boolean answered;

    Exchange(Connection connection, Border border, RequestHead request) {
        this.connection = connection;
        this.border = border;
        this.request = request;
        this.client = connection.client();
    }

    /** Serves it; whether another request may follow. */
    boolean run(Judgement.Open open) throws IOException, InterruptedException {
        Passage passage;
        Wire host;
        try {
            Dialer.Dialled dialled = border.dialer().dial(open.addresses(), to().port());
            passage = new Passage(to(), open.rule(), dialled.address());
            host = connection.attach(dialled.channel(), passage);
        } catch (IOException failed) {
            return fail(Dialer.why(failed));
        }
        border.allowed(connection.number(), Protocol.HTTP, passage);
        boolean whole = false;
        try {
            connection.mayNotStandStill();
            boolean more = exchange(host, open.addresses().stream().findFirst());
            whole = connection.cutBecause().isEmpty();
            return more;
        } finally {
            border.closed(connection.number(), passage, host, whole ? Optional.empty() : broken());
            connection.detach();
        }
    }

    private Optional<String> broken() {
        return connection.cutBecause().or(() -> Optional.of("reset"));
    }

    private Authority to() {
        return request.authority();
    }

    private boolean exchange(Wire host, Optional<IpAddress> address)
            throws IOException, InterruptedException {
        Upload upload = new Upload(client, host, request.framing());
        boolean more;
        try {
            host.write(head(address));
            upload.start();
            more = answer(host);
        } catch (BadMessage odd) {
            upload.abandon();
            return giveUp(odd.why());
        } catch (IOException broken) {
            upload.abandon();
            if (upload.problem().isPresent()) {
                return refuse(upload.problem().get());
            }
            return giveUp("the host closed the connection before its answer was complete");
        }
        boolean complete = upload.isComplete(A_MOMENT);
        if (!complete) {
            upload.abandon();
        }
        if (more && complete) {
            return true;
        }
        connection.farewell(new byte[0]);
        return false;
    }

    private boolean fail(String why) throws IOException {
        border.failed(connection.number(), Protocol.HTTP, to(), why);
        connection.farewell(Answers.failed(to(), why));
        return false;
    }

    /** Before anything was said a client is told; later it sees that the answer is cut off. */
    private boolean giveUp(String why) throws IOException {
        if (!answered && connection.cutBecause().isEmpty()) {
            connection.farewell(Answers.failed(to(), why));
        }
        return false;
    }

    private boolean refuse(BadMessage bad) throws IOException {
        border.refused(connection.number(), Protocol.HTTP, bad.why());
        if (!answered) {
            connection.farewell(Answers.refused(bad.status(), bad.why()));
        }
        return false;
    }

    private byte[] head(Optional<IpAddress> address) {
        Head head = new Head();
        Optional<Upstream> above = border.settings().upstream();
        String target =
                above.isEmpty()
                        ? request.path()
                        : "http://" + Dialer.target(to(), address) + request.path();
        head.line(request.method() + " " + target + " HTTP/1.1");
        head.field("Host", to().inField());
        request.fields().endToEnd().stream()
                .filter(field -> !field.is("host"))
                .forEach(head::field);
        head.framing(request.framing());
        above.flatMap(Upstream::authorization)
                .ifPresent(value -> head.field("Proxy-Authorization", value));
        if (request.upgradesToWebSocket()) {
            head.field("Connection", "Upgrade");
            head.field("Upgrade", "websocket");
        } else {
            head.field("Connection", "close");
        }
        return head.bytes();
    }

    /** Passes the answer on; whether the client may send another request. */
    private boolean answer(Wire host) throws IOException, BadMessage, InterruptedException {
        for (int i = 0; i < MOST_INTERIM; i++) {
            AnswerHead answer = AnswerHead.read(host, border.limits().headBytes());
            if (answer.status() == 101) {
                return switchOver(answer, host);
            }
            if (!answer.isInterim()) {
                return last(answer, host);
            }
            if (request.minorVersion() == 1) {
                Head head = new Head();
                head.status(answer);
                answer.fields().endToEnd().forEach(head::field);
                client.write(head.bytes());
            }
        }
        throw new BadMessage(502, "the host does not come to its answer");
    }

    private boolean switchOver(AnswerHead answer, Wire host)
            throws IOException, BadMessage, InterruptedException {
        boolean agreed =
                request.upgradesToWebSocket() && answer.fields().lists("upgrade", "websocket");
        if (!agreed) {
            throw new BadMessage(502, "the host changes to a protocol that was not asked for");
        }
        Head head = new Head();
        head.status(answer);
        answer.fields().endToEnd().forEach(head::field);
        head.field("Connection", "Upgrade");
        head.field("Upgrade", "websocket");
        answered = true;
        client.write(head.bytes());
        new Relay(connection, host).run();
        return false;
    }

    private boolean last(AnswerHead answer, Wire host) throws IOException, BadMessage {
        Framing framing = answer.framing(request.method());
        boolean open = framing instanceof Framing.Chunked || framing instanceof Framing.UntilClose;
        boolean inChunks = open && request.minorVersion() == 1;
        boolean more = request.keepsAlive();
        Head head = new Head();
        head.status(answer);
        answer.fields().endToEnd().forEach(head::field);
        if (framing instanceof Framing.None) {
            // The length of what a GET would have got, and no framing.
            List<String> lengths = answer.fields().all("content-length");
            lengths.stream().limit(1).forEach(length -> head.field("Content-Length", length));
        } else {
            head.framing(inChunks ? new Framing.Chunked() : framing);
        }
        if (!more) {
            head.field("Connection", "close");
        }
        answered = true;
        client.write(head.bytes());
        new Body(host, client, inChunks).move(framing);
        return more;
    }

    /** The lines of a head that is written. */
    private static final class Head {

        private final StringBuilder text = new StringBuilder();

        void line(String line) {
            text.append(line).append("\r\n");
        }

        void status(AnswerHead answer) {
            line("HTTP/1.1 " + answer.status() + " " + answer.reason());
        }

        void field(Field field) {
            field(field.name(), field.value());
        }

        void field(String name, String value) {
            line(name + ": " + value);
        }

        void framing(Framing framing) {
            switch (framing) {
                case Framing.Length(long length) -> field("Content-Length", Long.toString(length));
                case Framing.Chunked _ -> field("Transfer-Encoding", "chunked");
                case Framing.None _, Framing.UntilClose _ -> {}
            }
        }

        byte[] bytes() {
            return (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}
