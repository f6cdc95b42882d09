package dev.carrel.core.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process of its own that takes a lock: holds it, or counts under it. */
public final class LockHoldingProgram {

    private LockHoldingProgram() {}

    /** {@code hold LOCK}, or {@code count LOCK FILE ROUNDS}. */
    public static void main(String[] arguments) throws Exception {
        Path lock = Path.of(arguments[1]);
        if (arguments[0].equals("hold")) {
            try (Locks.Held held = Locks.acquire(lock, "hold of a child", Duration.ofSeconds(20))) {
                System.out.println("locked " + held.file());
                System.in.read();
            }
        } else {
            count(lock, Path.of(arguments[2]), Integer.parseInt(arguments[3]));
        }
    }

    static void count(Path lock, Path file, int rounds) throws Exception {
        for (int i = 0; i < rounds; i++) {
            try (Locks.Held held = Locks.acquire(lock, "count", Duration.ofSeconds(60))) {
                int before = Integer.parseInt(Files.readString(file));
                Files.writeString(file, Integer.toString(before + 1));
                if (!Files.exists(held.file())) {
                    throw new IllegalStateException("the lock is gone");
                }
            }
        }
    }
}
