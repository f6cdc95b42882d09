package dev.carrel.core.snapshot;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.Locks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a shared snapshot is.
 *
 * @param key stands for the repository and all that decides what a checkout of it looks like
 */
record SharedPlace(Path snapshots, String key, String commit) {

    static final String BUILDING = ".building-";
    static final String REMOVING = ".removing-";

    private static final Duration PATIENCE = Duration.ofMinutes(10); // a big checkout may run
    private static final int KEY_LENGTH = 32;

    /** A key of fields, each with its length in front, so that no two lists look alike. */
    static String keyOf(List<String> fields) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String field : fields) {
                byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, KEY_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    Path directory() {
        return snapshots.resolve(key).resolve(commit);
    }

    /**
     * A name to build under, another one each time: a program that a killed builder started may go
     * on writing under the old one.
     */
    Path freshBuilding() {
        return snapshots.resolve(key).resolve(BUILDING + commit + "-" + UUID.randomUUID());
    }

    /** What killed builders left. Only for who holds the lock. */
    void clearBuilding() {
        for (Path entry : Place.in(snapshots.resolve(key))) {
            if (entry.getFileName().toString().startsWith(BUILDING)) {
                Place.of(entry).deleteIfPossible();
            }
        }
    }

    Path removing() {
        return snapshots.resolve(key).resolve(REMOVING + commit);
    }

    Path tree() {
        return directory().resolve("tree");
    }

    Path index() {
        return directory().resolve("index");
    }

    Path objects() {
        return directory().resolve("objects");
    }

    /** Excludes other builders and collectors of the same repository. */
    Locks.Held lock() throws InterruptedException {
        return Locks.acquire(snapshots.resolve(key + ".lock"), "snapshot", PATIENCE);
    }

    /** The same, unless somebody holds it. */
    Optional<Locks.Held> tryLock() {
        return Locks.tryAcquire(snapshots.resolve(key + ".lock"), "snapshot");
    }

    /** Makes the directories above; others may pass through, not look, if root does it. */
    void makeParents(boolean passable) {
        String mode = passable ? "rwx--x--x" : "rwx------";
        for (Path directory : List.of(snapshots, snapshots.resolve(key))) {
            makeDirectory(directory, mode);
        }
    }

    static void makeDirectory(Path directory, String mode) {
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory);
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            }
        } catch (IOException e) {
            throw new HostOperationException("cannot make " + directory + ": " + e, null, e);
        }
    }
}
