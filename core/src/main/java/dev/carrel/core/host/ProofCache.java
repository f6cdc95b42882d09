package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers that one very file was proven under this boot of the kernel, so that sessions start
 * fast. A missing, unreadable or foreign file only costs the trial again; a failure is never
 * remembered.
 */
record ProofCache(Optional<Path> file, Caller caller) {

    private static final String ATTRIBUTES = "unix:dev,ino,size,lastModifiedTime,ctime";

    /** The proven version of this program, if it is remembered. */
    Optional<String> version(Path bwrap) {
        HostFiles files = new LiveFiles();
        Optional<HostFiles.Entry> entry = file.flatMap(files::look);
        if (entry.isEmpty()
                || entry.get().kind() != HostFiles.Kind.FILE
                || entry.get().uid() != caller.uid()
                || (entry.get().mode() & 022) != 0) {
            return Optional.empty();
        }
        Optional<String> key = key(bwrap);
        return file.map(files::lines)
                .filter(lines -> lines.size() == 2 && key.equals(Optional.of(lines.get(0))))
                .map(lines -> lines.get(1))
                .filter(version -> version.matches("\\d+\\.\\d+(\\.\\d+)?"));
    }

    /** Remembers a proof; failing to is harmless. */
    void remember(Path bwrap, String version) {
        Optional<String> key = key(bwrap);
        if (file.isEmpty() || key.isEmpty()) {
            return;
        }
        try {
            String content = key.get() + "\n" + version + "\n";
            AtomicFile.write(file.get(), content.getBytes(StandardCharsets.ISO_8859_1));
        } catch (HostOperationException e) {
            // Only a short cut is lost.
        }
    }

    /** What makes a program the same one: its file, untouched, under the same running kernel. */
    private static Optional<String> key(Path bwrap) {
        try {
            Map<String, Object> found =
                    Files.readAttributes(bwrap, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return Optional.of(
                    String.join(
                            " ",
                            "proof-1",
                            boot,
                            String.valueOf(found.get("dev")),
                            String.valueOf(found.get("ino")),
                            String.valueOf(found.get("size")),
                            String.valueOf(found.get("lastModifiedTime")),
                            String.valueOf(found.get("ctime")),
                            bwrap.toString()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
