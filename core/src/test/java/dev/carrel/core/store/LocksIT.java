package dev.carrel.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LocksIT {

    private static final Duration SHORT = Duration.ofMillis(100);

    @TempDir Path host;

    @Test
    @Tag("LC-04")
    void anotherProcessIsNamedAndItsDeathFreesTheLock() throws Exception {
        Path file = host.resolve("lock");
        Process child = ChildJvm.start(LockHoldingProgram.class, "hold", file.toString());
        try (var output = child.inputReader(UTF_8)) {
            assertThat(output.readLine()).isEqualTo("locked " + file);

            assertThatThrownBy(() -> Locks.acquire(file, "test", SHORT))
                    .isInstanceOf(ConflictException.class)
                    .hasMessage(
                            file + " is locked by process " + child.pid() + " (hold of a child)");
            assertThat(Locks.tryAcquire(file, "test")).isEmpty();
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(Locks.tryAcquire(file, "test")).hasValueSatisfying(Locks.Held::close);
    }

    @Test
    void aLockOfThisJvmSurvivesOtherThreadsThatTryIt() throws Exception {
        Path file = host.resolve("lock");
        try (Locks.Held held = Locks.acquire(file, "test", SHORT)) {
            // Each attempt would open and close a descriptor of the file, were it not shared.
            for (int i = 0; i < 20; i++) {
                assertThat(Locks.tryAcquire(held.file(), "other")).isEmpty();
            }
            Process child = ChildJvm.start(LockHoldingProgram.class, "hold", file.toString());
            try {
                assertThat(child.inputReader(UTF_8).ready()).isFalse();
                Thread.sleep(1500);
                assertThat(child.inputReader(UTF_8).ready()).as("child waits").isFalse();
                assertThat(child.isAlive()).isTrue();
            } finally {
                child.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void noIncrementIsLostBetweenProcessesAndThreads() throws Exception {
        Path lock = host.resolve("lock");
        Path counter = Files.writeString(host.resolve("counter"), "0");
        String[] arguments = {"count", lock.toString(), counter.toString(), "100"};
        Process first = ChildJvm.start(LockHoldingProgram.class, arguments);
        Process second = ChildJvm.start(LockHoldingProgram.class, arguments);

        List<Future<Boolean>> counted = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                counted.add(threads.submit(() -> count(lock, counter)));
            }
        }

        for (Future<Boolean> each : counted) {
            assertThat(each.get()).isTrue();
        }
        assertThat(first.waitFor()).isZero();
        assertThat(second.waitFor()).isZero();
        assertThat(counter).hasContent("300");
    }

    private static boolean count(Path lock, Path counter) throws Exception {
        LockHoldingProgram.count(lock, counter, 25);
        return true;
    }
}
