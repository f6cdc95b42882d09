package dev.carrel.core.egress;

import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the resolver on a few threads of the system: the C library's resolver holds its thread for
 * as long as DNS is silent, and a virtual thread would hold with it one of those that carry all
 * connections.
 */
final class Lookups implements AutoCloseable {

    private static final int THREADS = 8;
    private static final int MOST_WAITING = 1024;

    private final Resolver resolver;
    private final Duration patience;
    private final ThreadPoolExecutor threads;

    Lookups(Resolver resolver, Duration patience) {
        this.resolver = resolver;
        this.patience = patience;
        this.threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MOST_WAITING),
                        Thread.ofPlatform().daemon().name("egress-dns-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /** The addresses of a name, each once; none where there are none or no answer comes in time. */
    List<IpAddress> resolve(Host.Name name) throws InterruptedException {
        Future<List<IpAddress>> answer;
        try {
            answer = threads.submit(() -> resolver.resolve(name));
        } catch (RejectedExecutionException tooMany) {
            return List.of();
        }
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS).stream()
                    .distinct()
                    .toList();
        } catch (TimeoutException silent) {
            answer.cancel(true);
            return List.of();
        } catch (ExecutionException failed) {
            return List.of();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
