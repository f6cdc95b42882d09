package dev.carrel.core.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Directories in memory, for tests that write much or wait for the disk often, and are about
 * neither: most of their time would go there. Where the machine's memory cannot do what they need,
 * they get usual ones. Not for sessions, as none is made of what lies below /dev.
 */
public final class InMemory implements TempDirFactory {

    /** World-writable by custom; Linux mounts a tmpfs there. */
    private static final Path SHARED = Path.of("/dev/shm");

    private static final long ENOUGH = 1L << 30;

    private static final class Found {
        static final Optional<Path> PLACE = Optional.of(SHARED).filter(InMemory::serves);
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
            throws IOException {
        return Found.PLACE.isPresent()
                ? Files.createTempDirectory(Found.PLACE.get(), "junit-")
                : Files.createTempDirectory("junit-");
    }

    /** A new one on another file system than those; its user removes it. */
    public static Path elsewhere(String prefix) throws IOException {
        return Found.PLACE.isPresent()
                ? Files.createTempDirectory(prefix)
                : Files.createTempDirectory(SHARED, prefix);
    }

    /** Layers need attributes, and hooks have to be executed; a container's is often small. */
    private static boolean serves(Path place) {
        try {
            Path probe =
                    Files.createTempFile(
                            place,
                            "probe",
                            "",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
            try {
                Files.setAttribute(probe, "user:overlay.probe", new byte[] {'y'});
                return Files.isExecutable(probe)
                        && Files.getFileStore(place).getUsableSpace() > ENOUGH;
            } finally {
                Files.delete(probe);
            }
        } catch (IOException | UnsupportedOperationException no) {
            return false;
        }
    }
}
