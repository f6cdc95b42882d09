package dev.carrel.core.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of this machine. */
public final class LiveFiles implements HostFiles {

    private static final int TYPE_MASK = 0170000;

    /** The files as they are now; nothing is remembered. */
    public LiveFiles() {}

    @Override
    public Optional<Entry> look(Path path) {
        try {
            Map<String, Object> found =
                    Files.readAttributes(path, "unix:mode,uid,gid", LinkOption.NOFOLLOW_LINKS);
            int mode = number(found, "mode");
            Kind kind = kind(mode);
            String text = kind == Kind.LINK ? Files.readSymbolicLink(path).toString() : "";
            return Optional.of(
                    new Entry(
                            kind, number(found, "uid"), number(found, "gid"), mode & 07777, text));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer value ? value : -1;
    }

    private static Kind kind(int mode) {
        return switch (mode & TYPE_MASK) {
            case 0100000 -> Kind.FILE;
            case 0040000 -> Kind.DIRECTORY;
            case 0120000 -> Kind.LINK;
            default -> Kind.SPECIAL;
        };
    }

    @Override
    public List<String> names(Path directory) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.map(child -> String.valueOf(child.getFileName())).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public List<String> lines(Path file) {
        try {
            // Latin-1 never fails; what is looked for in these files is ASCII.
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return List.of();
        }
    }
}
