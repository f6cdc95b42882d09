package dev.carrel.cli;

import java.util.List;
import java.util.Optional;

/**
 * A command line without what stands before its verb.
 *
 * @param config the file of {@code --config FILE}
 * @param rest the verb and what follows
 */
record LeadingWords(Optional<String> config, List<String> rest) {

    private static final String CONFIG = "--config";

    LeadingWords {
        rest = List.copyOf(rest);
    }

    static LeadingWords of(List<String> words) {
        Optional<String> config = Optional.empty();
        List<String> rest = words;
        while (rest.size() > 1 && rest.getFirst().equals(CONFIG)) {
            config = Optional.of(rest.get(1));
            rest = rest.subList(2, rest.size());
        }
        if (!rest.isEmpty() && rest.getFirst().startsWith(CONFIG + "=")) {
            config = Optional.of(rest.getFirst().substring(CONFIG.length() + 1));
            rest = rest.subList(1, rest.size());
        }
        return new LeadingWords(config, rest);
    }

    /** Whether the option is there without its file. */
    boolean isIncomplete() {
        return !rest.isEmpty() && rest.getFirst().equals(CONFIG);
    }
}
