package dev.carrel.core.host;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.policy.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directories of an overlay that is mounted for a trial, owned by the sandbox's user. */
record OverlayScratch(ScratchDirectory directory) implements AutoCloseable {

    static OverlayScratch below(Path parent, Identity identity) throws IOException {
        OverlayScratch scratch = new OverlayScratch(ScratchDirectory.below(parent));
        try {
            scratch.fill();
            if (identity.switched()) {
                scratch.directory.giveTo(new Owner(identity.uid(), identity.gid()));
            }
            return scratch;
        } catch (IOException | CarrelException e) {
            try (scratch) {
                throw e;
            }
        }
    }

    private void fill() throws IOException {
        for (String name : List.of("upper", "work", "probe-lower", "probe-upper")) {
            Files.createDirectory(path().resolve(name));
        }
        Files.createDirectories(path().resolve("lower/.carrel-folder"));
        Files.createFile(path().resolve("lower/.carrel-folder/old"));
        Files.createFile(path().resolve("lower/.carrel-file"));
    }

    Path path() {
        return directory.path();
    }

    /** Mounts it at /m, on top of what {@code --overlay-src} options before named. */
    List<String> mountOptions() {
        return List.of(
                "--overlay-src",
                path().resolve("lower").toString(),
                "--overlay",
                path().resolve("upper").toString(),
                path().resolve("work").toString(),
                "/m");
    }

    @Override
    public void close() {
        directory.close();
    }
}
