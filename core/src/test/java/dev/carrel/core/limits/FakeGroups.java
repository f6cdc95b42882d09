package dev.carrel.core.limits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A tree of groups in ordinary directories: new ones get files as the kernel would make them. */
final class FakeGroups implements GroupFiles {

    private final Map<String, String> files;

    FakeGroups(Map<String, String> files) {
        this.files = Map.copyOf(files);
    }

    @Override
    public void makeDirectory(Path directory) throws IOException {
        Files.createDirectory(directory);
        fill(directory);
    }

    void fill(Path directory) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
    }

    @Override
    public void removeDirectory(Path directory) throws IOException {
        List<Path> inside;
        try (Stream<Path> entries = Files.list(directory)) {
            inside = entries.toList();
        }
        if (inside.stream().anyMatch(Files::isDirectory)) {
            throw new DirectoryNotEmptyException(directory.toString());
        }
        inside.forEach(FakeGroups::delete);
        Files.delete(directory);
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Controllers are switched on with a plus before each, and read without. */
    @Override
    public void write(Path file, String value) throws IOException {
        if (file.endsWith("cgroup.subtree_control")) {
            GroupFiles.super.write(file, (read(file) + " " + value.substring(1)).strip());
        } else {
            GroupFiles.super.write(file, value);
        }
    }
}
