package dev.carrel.core.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs of the machine. A test that lacks it is skipped with the reason, or fails where
 * the variable CARREL_FORBID_SKIPS is 1, so that continuous integration runs everything.
 */
public final class Requirements {

    private Requirements() {}

    /** The bwrap to test with: the one that CARREL_BWRAP names, else the first in PATH. */
    public static Path bwrap() {
        String named = System.getenv("CARREL_BWRAP");
        if (named == null || named.isBlank()) {
            return program("bwrap");
        }
        Path path = Path.of(named);
        that(Files.isExecutable(path), "CARREL_BWRAP names no program: " + named);
        return ReachableProgram.of(path);
    }

    /** A host program, as an absolute path. */
    public static Path program(String name) {
        Optional<Path> found = find(name);
        that(found.isPresent(), "needs the program " + name + ", which is not in PATH");
        return found.orElseThrow();
    }

    /** A host file that the test reads. */
    public static Path file(Path path) {
        that(Files.isReadable(path), "needs the file " + path);
        return path;
    }

    /**
     * A new directory on a file system with reflinks, in the one that CARREL_REFLINK_DIR names. The
     * word {@code none} says that the machine cannot have one, which is known and no failure.
     */
    public static Path reflinks() throws IOException {
        String named = System.getenv("CARREL_REFLINK_DIR");
        Assumptions.assumeFalse(
                "none".equals(named), "no reflinks: this machine has no loop device");
        that(
                named != null && Files.isWritable(Path.of(named)),
                "needs a directory on btrfs or xfs: CARREL_REFLINK_DIR is " + named);
        return Files.createTempDirectory(Path.of(Objects.requireNonNull(named)), "carrel");
    }

    /** Any other fact of the machine. */
    public static void that(boolean holds, String reason) {
        if (!holds && "1".equals(System.getenv("CARREL_FORBID_SKIPS"))) {
            Assertions.fail("skips are forbidden here, but this test " + reason);
        }
        Assumptions.assumeTrue(holds, reason);
    }

    /** A program in PATH, where a test does without it. */
    public static Optional<Path> find(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
        return Stream.of(path.split(":", -1))
                .filter(directory -> directory.startsWith("/"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
