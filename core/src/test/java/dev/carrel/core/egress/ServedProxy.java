package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A proxy of a test: its rules can be changed, its events are kept, names are in a table. */
final class ServedProxy implements AutoCloseable {

    /** What is no name of the table does not exist. */
    static final EgressLimits LIMITS =
            new EgressLimits(
                    1024,
                    16 * 1024,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20));

    private static final int BACKLOG = 1024;

    private final Path directory;
    private final EgressProxy proxy;
    private final List<EgressEvent> events = new CopyOnWriteArrayList<>();
    private final Map<Host.Name, IpAddress> names = new HashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile EgressRules rules;

    private ServedProxy(EgressRules rules, UnaryOperator<ProxySettings> change) throws IOException {
        this.rules = rules;
        this.directory = Files.createTempDirectory("egress");
        ProxySettings settings =
                ProxySettings.of(() -> this.rules, events::add)
                        .withLimits(LIMITS)
                        .withCommand(rule -> "carrel egress calm-otter allow " + rule)
                        .withResolver(this::resolve);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket()), BACKLOG);
        this.proxy = EgressProxy.start(server, change.apply(settings));
    }

    /** With an allow list. */
    static ServedProxy allowing(String... rules) throws IOException {
        return new ServedProxy(EgressRules.parse(List.of(rules), List.of()), same -> same);
    }

    /** With rules and changed settings. */
    static ServedProxy of(EgressRules rules, UnaryOperator<ProxySettings> change)
            throws IOException {
        return new ServedProxy(rules, change);
    }

    private List<IpAddress> resolve(Host.Name name) {
        asked.add(name.text());
        IpAddress address = names.get(name);
        return address == null ? List.of() : List.of(address);
    }

    /** Puts a name into the table that stands for DNS. */
    ServedProxy name(String name, String address) {
        names.put(new Host.Name(name), IpAddress.parse(address));
        return this;
    }

    /** Changes the rules, and says so. */
    void change(EgressRules to) {
        rules = to;
        proxy.rulesChanged();
    }

    private Path socket() {
        return directory.resolve("proxy");
    }

    Client client() throws IOException {
        return Client.of(socket());
    }

    EgressProxy proxy() {
        return proxy;
    }

    List<EgressEvent> events() {
        return events;
    }

    /** The events of a kind. */
    <T extends EgressEvent> List<T> events(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Waits until so many connections have ended. */
    void awaitClosed(int count) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (events(EgressEvent.Closed.class).size() < count && System.nanoTime() < end) {
            Thread.sleep(5);
        }
    }

    /** What DNS was asked for. */
    List<String> asked() {
        return asked;
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        Files.deleteIfExists(socket());
        Files.deleteIfExists(directory);
    }
}
