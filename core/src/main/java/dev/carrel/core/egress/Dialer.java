package dev.carrel.core.egress;

import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import dev.carrel.core.policy.Upstream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Connects to addresses that were judged, or to the proxy above. */
final class Dialer {

    private final ProxySettings settings;
    private final Lookups lookups;
    private final Duration patience;

    Dialer(ProxySettings settings, Lookups lookups) {
        this.settings = settings;
        this.lookups = lookups;
        this.patience = settings.limits().dialTime();
    }

    /**
     * A connection.
     *
     * @param address the judged address that it leads to; empty where the proxy above got the name
     */
    record Dialled(SocketChannel channel, Optional<IpAddress> address) {}

    /** The proxy above did not serve; the message says why, in words of our own. */
    private static final class AboveException extends IOException {

        private static final long serialVersionUID = 1L;

        AboveException(String why) {
            super(why);
        }
    }

    /** Connects to one of the addresses, or to the proxy above where there is one. */
    Dialled dial(List<IpAddress> addresses, int port) throws IOException, InterruptedException {
        Optional<Upstream> above = settings.upstream();
        if (above.isEmpty()) {
            return first(addresses, port);
        }
        List<IpAddress> proxy =
                switch (above.get().host()) {
                    case Host.Literal(IpAddress address) -> List.of(address);
                    case Host.Name name -> lookups.resolve(name);
                };
        if (proxy.isEmpty()) {
            throw new AboveException("the proxy above has no address");
        }
        SocketChannel channel = first(proxy, above.get().port()).channel;
        return new Dialled(channel, addresses.stream().findFirst());
    }

    private Dialled first(List<IpAddress> addresses, int port) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        IOException last = new SocketTimeoutException();
        for (int i = 0; i < addresses.size(); i++) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            // So that one that never answers leaves time for the others.
            long share = i == addresses.size() - 1 ? left : Math.max(left / 2, 1);
            try {
                IpAddress address = addresses.get(i);
                return new Dialled(connect(address, port, (int) share), Optional.of(address));
            } catch (IOException failed) {
                last = failed;
            }
        }
        throw last;
    }

    private static SocketChannel connect(IpAddress address, int port, int millis)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            // By bytes: nothing is left that could be resolved a second time.
            InetAddress to = InetAddress.getByAddress(address.bytes());
            channel.socket().connect(new InetSocketAddress(to, port), millis);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return channel;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /** Asks the proxy above for a tunnel, over a connection to it; nothing where there is none. */
    void ask(Wire above, Authority to, Optional<IpAddress> address) throws IOException, BadMessage {
        Optional<Upstream> upstream = settings.upstream();
        if (upstream.isEmpty()) {
            return;
        }
        String target = target(to, address);
        StringBuilder head = new StringBuilder();
        head.append("CONNECT ").append(target).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(target).append("\r\n");
        upstream.get()
                .authorization()
                .ifPresent(
                        value -> head.append("Proxy-Authorization: ").append(value).append("\r\n"));
        above.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        AnswerHead answer = AnswerHead.read(above, settings.limits().headBytes());
        if (answer.status() != 200) {
            throw new AboveException("the proxy above answered " + answer.status());
        }
    }

    /** What the proxy above is asked for: the name, but where settings give it an address. */
    static String target(Authority to, Optional<IpAddress> address) {
        return address.map(IpAddress::inUrl).orElseGet(() -> to.host().toString())
                + ":"
                + to.port();
    }

    /** Why it did not work, in words that hold nothing of the other side. */
    static String why(IOException failed) {
        return switch (failed) {
            case AboveException above -> String.valueOf(above.getMessage());
            case SocketTimeoutException _ -> "no answer in time";
            case NoRouteToHostException _ -> "there is no route to it";
            case ConnectException _ -> "the connection was refused";
            default -> "the connection failed";
        };
    }
}
