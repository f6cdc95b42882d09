package dev.carrel.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.NotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LocksTest {

    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir Path host;

    @Test
    void aSecondTakerIsToldWhoHoldsIt() throws Exception {
        Path file = host.resolve("lock");
        try (Locks.Held held = Locks.acquire(file, "apply", SHORT)) {
            assertThat(held.file()).isEqualTo(file);
            assertThatThrownBy(() -> Locks.acquire(file, "rm", SHORT))
                    .isInstanceOf(ConflictException.class)
                    .hasMessage(
                            file
                                    + " is locked by process "
                                    + ProcessHandle.current().pid()
                                    + " (apply)");
            assertThat(Locks.tryAcquire(file, "rm")).isEmpty();
        }
        try (Locks.Held again = Locks.tryAcquire(file, "rm").orElseThrow()) {
            assertThat(again.file()).exists();
        }
    }

    @Test
    void allSpellingsOfAPathAreOneLock() throws Exception {
        Path link = Files.createSymbolicLink(host.resolve("link"), host);
        try (Locks.Held held = Locks.acquire(host.resolve("lock"), "one", SHORT)) {
            assertThat(held.file()).exists();
            assertThat(Locks.tryAcquire(link.resolve("./lock"), "two")).isEmpty();
        }
    }

    @Test
    void virtualThreadsExcludeEachOther() throws Exception {
        Path file = host.resolve("lock");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    IntStream.range(0, 50)
                            .mapToObj(i ->
                                    threads.submit(() -> {
                                        enter(file, inside);
                                        return rounds.incrementAndGet();
                                    }))
                            .toList();
            for (Future<Integer> each : all) {
                each.get();
            }
        }
        assertThat(rounds).hasValue(50);
    }

    private static void enter(Path file, AtomicInteger inside) throws Exception {
        try (Locks.Held held = Locks.acquire(file, "count", LONG)) {
            assertThat(held.file()).exists();
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            Thread.sleep(1);
            inside.decrementAndGet();
        }
    }

    @Test
    void anInterruptWhileWaitingEndsTheWaitAndLeavesTheHolderAlone() throws Exception {
        Path file = host.resolve("lock");
        try (Locks.Held held = Locks.acquire(file, "hold", SHORT)) {
            Thread waiter =
                    Thread.ofVirtual()
                            .start(() -> {
                                try (Locks.Held wrong = Locks.acquire(file, "wait", LONG)) {
                                    throw new AssertionError(wrong.file());
                                } catch (InterruptedException expected) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            waiter.interrupt();
            assertThat(waiter.join(LONG)).isTrue();
            assertThat(Locks.tryAcquire(held.file(), "other")).isEmpty();
        }
        assertThat(Locks.tryAcquire(file, "next")).hasValueSatisfying(Locks.Held::close);
    }

    @Test
    void aHolderMayRemoveTheDirectoryOfTheLock() throws Exception {
        Path directory = Files.createDirectory(host.resolve("session"));
        Path file = directory.resolve("lock");
        Locks.Held held = Locks.acquire(file, "rm", SHORT);
        Files.delete(file);
        Files.delete(directory);
        held.close();
        held.close();

        assertThatThrownBy(() -> Locks.acquire(file, "apply", SHORT))
                .isInstanceOf(NotFoundException.class);
        Files.createDirectory(directory);
        assertThat(Locks.tryAcquire(file, "new")).hasValueSatisfying(Locks.Held::close);
    }
}
