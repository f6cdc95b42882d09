package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Named pipes that programs of this machine have open, as far as the caller may look. They are
 * hidden as sockets are: a read-only mount does not keep anybody from writing to a pipe, and who
 * reads it may obey.
 */
record HostPipes(HostFiles files) {

    private static final Path PROC = Path.of("/proc");

    /** What has no pipes of anybody's, or none that is seen. */
    private static final List<String> ELSEWHERE = List.of("/dev/", "/proc/", "/run/", "/sys/");

    List<Path> all() {
        Set<Path> open = new LinkedHashSet<>();
        for (String process : files.names(PROC)) {
            if (Character.isDigit(process.charAt(0))) {
                Path descriptors = PROC.resolve(process).resolve("fd");
                for (String descriptor : files.names(descriptors)) {
                    opened(descriptors.resolve(descriptor)).ifPresent(open::add);
                }
            }
        }
        List<Path> pipes = new ArrayList<>();
        for (Path path : open) {
            files.look(path)
                    .filter(entry -> entry.kind() == HostFiles.Kind.SPECIAL)
                    .ifPresent(_ -> pipes.add(path));
        }
        return pipes;
    }

    private Optional<Path> opened(Path descriptor) {
        return files.look(descriptor)
                .map(HostFiles.Entry::linkText)
                .filter(text -> text.startsWith("/") && text.indexOf('\0') < 0)
                .filter(text -> ELSEWHERE.stream().noneMatch(text::startsWith))
                .map(Path::of);
    }
}
