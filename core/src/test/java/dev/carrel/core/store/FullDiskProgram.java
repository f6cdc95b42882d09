package dev.carrel.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.HostOperationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/** A process of its own that writes to a disk of 64 KiB until it is full. */
public final class FullDiskProgram {

    private FullDiskProgram() {}

    /** {@code DIRECTORY}: the mounted disk. */
    public static void main(String[] arguments) throws Exception {
        Path disk = Path.of(arguments[0]);
        Path file = disk.resolve("f");
        AtomicFile.write(file, "old".getBytes(UTF_8));
        try {
            AtomicFile.write(file, new byte[200_000]);
            System.out.println("wrote it all");
        } catch (HostOperationException full) {
            System.out.println(full.message());
            System.out.println(full.remedy().orElse("no remedy"));
        }
        System.out.println(new String(Files.readAllBytes(file), UTF_8));
        System.out.println(Arrays.toString(disk.toFile().list()));
        try (Locks.Held held =
                Locks.acquire(disk.resolve("lock"), "clean up", Duration.ofSeconds(5))) {
            System.out.println("locked " + held.file().getFileName());
        }
    }
}
