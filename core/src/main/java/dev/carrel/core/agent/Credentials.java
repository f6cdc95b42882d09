package dev.carrel.core.agent;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keys for the one process that needs them, as variables. Never printed, logged or written; what a
 * run prints is freed of them.
 *
 * @param variables names and values
 * @param source where they come from, for people: {@code ANTHROPIC_API_KEY}, {@code key_file}
 */
public record Credentials(Map<String, String> variables, String source) {

    /** Shorter ones would be found everywhere by chance. */
    private static final int SHORTEST = 8;

    /** None. */
    public static final Credentials NONE = new Credentials(Map.of(), "none");

    public Credentials {
        variables = Map.copyOf(new TreeMap<>(variables));
    }

    /** The values that nobody shall see; one that another begins with comes after it. */
    List<String> secrets() {
        return variables.values().stream()
                .filter(value -> value.length() >= SHORTEST)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** The text without them. */
    String removedFrom(String text) {
        String clean = text;
        for (String secret : secrets()) {
            clean = clean.replace(secret, "***");
        }
        return clean;
    }

    /** Names only. */
    @Override
    public String toString() {
        return "Credentials" + variables.keySet();
    }
}
