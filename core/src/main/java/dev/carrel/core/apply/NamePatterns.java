package dev.carrel.core.apply;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Patterns for paths, see {@link LaterRun.Category}, arranged for tens of thousands of them: most
 * are looked up, few are tried one by one.
 *
 * @param <T> what a pattern stands for; the least of all that match counts
 */
final class NamePatterns<T extends Comparable<T>> {

    private final Map<String, T> names = new HashMap<>();
    private final Map<String, T> directories = new HashMap<>();
    private final List<Part<T>> parts = new ArrayList<>();
    private final List<Starred<T>> stars = new ArrayList<>();

    private record Part<T>(String text, T meaning) {}

    /**
     * @param pieces what stands around the stars
     */
    private record Starred<T>(List<String> pieces, T meaning) {}

    void add(String pattern, T meaning) {
        boolean isDirectory = pattern.endsWith("/");
        String name = isDirectory ? pattern.substring(0, pattern.length() - 1) : pattern;
        if (name.contains("/")) {
            parts.add(new Part<>("/" + pattern, meaning));
        } else if (isDirectory) {
            directories.putIfAbsent(name, meaning);
        } else if (name.contains("*")) {
            stars.add(new Starred<>(pieces(name), meaning));
        } else {
            names.putIfAbsent(name, meaning);
        }
    }

    Optional<T> match(TreePath path) {
        String text = "/" + new String(path.bytes(), ISO_8859_1).toLowerCase(Locale.ROOT);
        String name = text.substring(text.lastIndexOf('/') + 1);
        Stream<T> above =
                Stream.of(text.split("/", -1))
                        .limit(path.depth())
                        .map(directories::get)
                        .filter(found -> found != null);
        Stream<T> byPart =
                parts.stream().filter(part -> isIn(part.text(), text)).map(Part::meaning);
        Stream<T> byStar =
                stars.stream().filter(star -> matches(star.pieces(), name)).map(Starred::meaning);
        return Stream.of(Stream.ofNullable(names.get(name)), above, byPart, byStar)
                .flatMap(found -> found)
                .min(Comparator.naturalOrder());
    }

    private static boolean isIn(String part, String path) {
        return part.endsWith("/") ? path.contains(part) : path.endsWith(part);
    }

    /** A star stands for any letters. */
    static boolean matches(String pattern, String name) {
        return matches(pieces(pattern), name);
    }

    private static List<String> pieces(String pattern) {
        return List.of(pattern.split("\\*", -1));
    }

    private static boolean matches(List<String> pieces, String name) {
        String last = pieces.getLast();
        int at = pieces.getFirst().length();
        if (!name.startsWith(pieces.getFirst())
                || !name.endsWith(last)
                || name.length() < at + last.length()) {
            return false;
        }
        for (String piece : pieces.subList(1, pieces.size() - 1)) {
            int found = name.indexOf(piece, at);
            if (found < 0 || found + piece.length() > name.length() - last.length()) {
                return false;
            }
            at = found + piece.length();
        }
        return true;
    }
}
