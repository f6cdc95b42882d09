package dev.carrel.core.host;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is mounted where, as this process sees it. Later mounts cover earlier ones. */
record MountTable(List<Mounted> mounts) {

    MountTable {
        mounts = List.copyOf(mounts);
    }

    /**
     * One mount.
     *
     * @param place where
     * @param type of its file system
     * @param device which file system it is, by the kernel's numbers
     * @param root the directory of that file system that is seen here
     */
    record Mounted(Path place, String type, String device, Path root) {}

    static MountTable read(HostFiles files) {
        List<Mounted> mounts = new ArrayList<>();
        for (String line : files.lines(Path.of("/proc/self/mountinfo"))) {
            String[] fields = line.split(" ", -1);
            int dash = List.of(fields).indexOf("-");
            if (fields.length > 5 && dash > 5 && dash + 1 < fields.length) {
                mounts.add(
                        new Mounted(
                                Path.of(unescape(fields[4])),
                                fields[dash + 1],
                                fields[2],
                                root(unescape(fields[3]))));
            }
        }
        return new MountTable(mounts);
    }

    /** Namespace files, which are no directories, have names such as {@code net:[4026531840]}. */
    private static Path root(String field) {
        return Path.of(field.startsWith("/") ? field : "/" + field);
    }

    /** The kernel writes blanks and backslashes as three octal digits. */
    private static String unescape(String field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 3 < field.length()) {
                bytes.write(Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                bytes.write(field.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The type of the file system that a resolved path lies on, such as {@code ext4}. */
    String typeOf(Path resolved) {
        return under(resolved).map(Mounted::type).orElse("unknown");
    }

    private Optional<Mounted> under(Path resolved) {
        return mounts.stream()
                .filter(mount -> resolved.startsWith(mount.place()))
                .reduce((a, b) -> b.place().getNameCount() >= a.place().getNameCount() ? b : a);
    }

    /** Other paths of the same file: its file system, or a part of it, may be mounted twice. */
    List<Path> aliases(Path resolved) {
        Optional<Mounted> own = under(resolved);
        if (own.isEmpty()) {
            return List.of();
        }
        Path inside = own.get().root().resolve(own.get().place().relativize(resolved)).normalize();
        return mounts.stream()
                .filter(mount -> mount.device().equals(own.get().device()))
                .filter(mount -> inside.startsWith(mount.root()))
                .map(mount -> mount.place().resolve(mount.root().relativize(inside)).normalize())
                .filter(path -> !path.equals(resolved))
                .filter(path ->
                        under(path).filter(m -> m.device().equals(own.get().device())).isPresent())
                .distinct()
                .toList();
    }

    /** A mount inside this directory, if there is one. */
    Optional<Path> below(Path resolved) {
        return mounts.stream()
                .map(Mounted::place)
                .filter(place -> place.startsWith(resolved) && !place.equals(resolved))
                .findFirst();
    }
}
