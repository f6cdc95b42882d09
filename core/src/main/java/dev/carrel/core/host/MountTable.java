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

    /** One mount: where, and the type of its file system. */
    record Mounted(Path place, String type) {}

    static MountTable read(HostFiles files) {
        List<Mounted> mounts = new ArrayList<>();
        for (String line : files.lines(Path.of("/proc/self/mountinfo"))) {
            String[] fields = line.split(" ", -1);
            int dash = List.of(fields).indexOf("-");
            if (fields.length > 5 && dash > 5 && dash + 1 < fields.length) {
                mounts.add(new Mounted(Path.of(unescape(fields[4])), fields[dash + 1]));
            }
        }
        return new MountTable(mounts);
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
        return mounts.stream()
                .filter(mount -> resolved.startsWith(mount.place()))
                .reduce((a, b) -> b.place().getNameCount() >= a.place().getNameCount() ? b : a)
                .map(Mounted::type)
                .orElse("unknown");
    }

    /** A mount inside this directory, if there is one. */
    Optional<Path> below(Path resolved) {
        return mounts.stream()
                .map(Mounted::place)
                .filter(place -> place.startsWith(resolved) && !place.equals(resolved))
                .findFirst();
    }
}
