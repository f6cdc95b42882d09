package dev.carrel.core.session;

import dev.carrel.core.host.ProgramSearch;
import dev.carrel.core.policy.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Which programs certainly start in a session, so that no shell has to try. Safe for many threads.
 */
final class KnownPrograms {

    private static final int MOST = 200;

    private final Map<Wanted, Optional<Found>> known = new ConcurrentHashMap<>();

    /** Another session of the same name may show other things, and another PATH finds others. */
    private record Wanted(String token, String word, String searched) {}

    /** A program with what changes when it does. */
    private record Found(Path path, Map<String, Object> state) {}

    /**
     * Whether it certainly starts.
     *
     * @param session its token; what it shows of the host is decided when it is made
     * @param searched the value of PATH inside
     * @param view everything that the session shows
     */
    boolean starts(String session, String word, String searched, Supplier<List<Mount>> view) {
        Wanted wanted = new Wanted(session, word, searched);
        Optional<Found> before = known.get(wanted);
        // What is not certain stays so: asking a shell is never wrong.
        if (before != null && (before.isEmpty() || isUnchanged(before.get()))) {
            return before.isPresent();
        }
        Optional<Found> found =
                new ProgramSearch(view.get())
                        .find(word, searched)
                        .flatMap(path -> state(path).map(state -> new Found(path, state)));
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(wanted, found);
        return found.isPresent();
    }

    private static boolean isUnchanged(Found found) {
        return state(found.path()).equals(Optional.of(found.state()));
    }

    private static Optional<Map<String, Object>> state(Path program) {
        try {
            return Optional.of(Files.readAttributes(program, "unix:dev,ino,ctime"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
