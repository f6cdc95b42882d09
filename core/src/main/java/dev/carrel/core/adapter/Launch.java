package dev.carrel.core.adapter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An invocation in the words of one command line. There is no key in it.
 *
 * @param arguments what follows the program
 * @param environment variables besides those that every run has
 * @param homeFiles files that it finds in its HOME, by path relative to it; text in UTF-8
 * @param input what it reads from its standard input, then the end
 */
public record Launch(
        List<String> arguments,
        Map<String, String> environment,
        Map<String, String> homeFiles,
        String input) {

    public Launch {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(new LinkedHashMap<>(environment));
        homeFiles = Map.copyOf(new LinkedHashMap<>(homeFiles));
    }
}
