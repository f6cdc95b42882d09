package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.config.Document.Format;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.store.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Remembers what files say by their content, so that the readers of YAML and of schemas are loaded
 * for a new text only. Whatever is wrong with it only costs reading the file again.
 */
final class DocumentCache {

    private static final int MOST_ENTRIES = 64;
    private static final int OTHERS = 077;

    private final Path directory;
    private final ConfigRequest request;

    DocumentCache(ConfigRequest request) {
        this.request = request;
        this.directory = request.base("XDG_CACHE_HOME", ".cache").resolve("carrel/config");
    }

    /** Where this content is remembered. */
    Path entry(byte[] content, Format format) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part :
                    List.of(
                            Schema.bytes(),
                            request.version().get().getBytes(UTF_8),
                            format.name().getBytes(UTF_8),
                            content)) {
                digest.update((part.length + ":").getBytes(UTF_8));
                digest.update(part);
            }
            return directory.resolve(HexFormat.of().formatHex(digest.digest()) + ".json");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    Optional<Document> get(Path entry, Path file) {
        try {
            return isOurs(directory)
                    ? Json.readIfExists(entry).map(json -> Document.of(json, file))
                    : Optional.empty();
        } catch (CarrelException | IllegalArgumentException broken) {
            return Optional.empty();
        }
    }

    void put(Path entry, Document document) {
        try {
            create();
            if (isOurs(directory)) {
                Json.write(entry, document.toJson());
                prune();
            }
        } catch (CarrelException | IOException notRemembered) {
            // Only time is lost.
        }
    }

    /** Nothing is made in the home of another user, as under sudo. */
    private void create() throws IOException {
        Path owned = directory;
        while (owned != null && !Files.exists(owned)) {
            owned = owned.getParent();
        }
        if (owned != null && owner(owned) == request.uid()) {
            Files.createDirectories(
                    directory,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
    }

    /** Whoever else could write here would decide what is allowed. */
    private boolean isOurs(Path path) {
        try {
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                    && owner(path) == request.uid()
                    && ((int) Files.getAttribute(path, "unix:mode") & OTHERS) == 0;
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static int owner(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private void prune() throws IOException {
        List<Path> entries;
        try (Stream<Path> all = Files.list(directory)) {
            entries = all.sorted(Comparator.comparing(DocumentCache::age)).toList();
        }
        for (Path old : entries.subList(0, Math.max(0, entries.size() - MOST_ENTRIES))) {
            Files.deleteIfExists(old);
        }
    }

    private static FileTime age(Path path) {
        try {
            return Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }
}
