package dev.carrel.core.host;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A path followed to its end.
 *
 * @param target the resolved path
 * @param links the links that were followed, each by its own resolved place
 */
record LinkWalk(Path target, List<Path> links) {

    /** As the kernel: more than this many links in one walk is a loop. */
    private static final int MOST_LINKS = 40;

    LinkWalk {
        links = List.copyOf(links);
    }

    static Optional<LinkWalk> of(HostFiles files, Path path) {
        Deque<Path> ahead = new ArrayDeque<>();
        path.forEach(ahead::add);
        Path here = Path.of("/");
        List<Path> links = new ArrayList<>();
        while (!ahead.isEmpty()) {
            String name = ahead.pop().toString();
            if (name.equals("..")) {
                here = here.getNameCount() <= 1 ? Path.of("/") : here.resolve("..").normalize();
                continue;
            }
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            Path next = here.resolve(name);
            Optional<HostFiles.Entry> entry = files.look(next);
            if (entry.isEmpty() || links.size() > MOST_LINKS) {
                return Optional.empty();
            }
            switch (entry.get().kind()) {
                case LINK -> {
                    links.add(next);
                    Path text = Path.of(entry.get().linkText());
                    here = text.isAbsolute() ? Path.of("/") : here;
                    List<Path> names = new ArrayList<>();
                    text.forEach(names::add);
                    names.reversed().forEach(ahead::push);
                }
                case DIRECTORY -> here = next;
                case FILE, SPECIAL -> {
                    if (!ahead.isEmpty()) {
                        return Optional.empty();
                    }
                    here = next;
                }
            }
        }
        return Optional.of(new LinkWalk(here, links));
    }
}
