package dev.carrel.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

/** Root's sandboxes run as another user, who may not reach a checkout below a closed folder. */
final class ReachableProgram {

    private ReachableProgram() {}

    /** The program itself, or a copy that everybody can execute. */
    static Path of(Path program) {
        try {
            Path real = program.toRealPath();
            boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
            return !root || open(real) ? real : copy(real);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean open(Path program) throws IOException {
        for (Path at = program; at != null; at = at.getParent()) {
            if (!Files.getPosixFilePermissions(at, LinkOption.NOFOLLOW_LINKS)
                    .contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }

    /**
     * At a place that only depends on the program, so that test JVMs of one session agree on it.
     */
    private static Path copy(Path program) throws IOException {
        String version = program.hashCode() + "-" + Files.getLastModifiedTime(program).toMillis();
        Path folder = Files.createDirectories(Path.of("/var/tmp/carrel-tests-of-root"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path copy = folder.resolve(program.getFileName() + "-" + version);
        if (!Files.exists(copy)) {
            Path aside = Files.createTempFile(folder, "copy", "");
            Files.copy(program, aside, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(aside, copy, StandardCopyOption.ATOMIC_MOVE);
        }
        return copy;
    }
}
