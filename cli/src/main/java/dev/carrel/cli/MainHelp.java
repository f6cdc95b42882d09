package dev.carrel.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The help of the program as a whole. */
final class MainHelp {

    private static final String EXAMPLES =
            """

            Examples:
              carrel run -- npm test          run it on a copy of the repository around here
              carrel diff calm-otter          look at what it changed
              carrel apply calm-otter         take the changes
              carrel discard calm-otter       or throw them away
              carrel shell calm-otter         work in the same copy

            A session is named by its id, its name, or the beginning of its id.
            Exit codes: that of the command (run, exec, shell); 125 carrel failed, 126 not executable,
            127 not found, 128+n ended by signal n. Other verbs: 0 yes, 1 no, 2 wrong usage.
            """;

    private MainHelp() {}

    static String text() {
        List<String> lines = new ArrayList<>();
        lines.add("Usage: carrel VERB [OPTIONS] …");
        lines.add("Run commands in isolated copies of your repositories, and take what you like.");
        lines.add("");
        lines.addAll(table(Arrays.asList(Verbs.values())));
        lines.add("  help VERB        Show the options of a verb, with examples");
        lines.add("  --config FILE    Use this file of settings; also after the verb");
        lines.add("  --version        Show the version");
        return String.join("\n", lines) + "\n" + EXAMPLES;
    }

    /** The verbs that share their first word. */
    static String group(List<Verbs> verbs) {
        return "Usage: carrel "
                + verbs.getFirst().words().getFirst()
                + " VERB [OPTIONS] …\n\n"
                + String.join("\n", table(verbs))
                + "\n";
    }

    private static List<String> table(List<Verbs> verbs) {
        Table table = new Table();
        verbs.forEach(verb -> table.row("", pad(verb.path()), verb.summary()));
        return table.lines();
    }

    private static String pad(String path) {
        return path + " ".repeat(Math.max(0, "config import  ".length() - path.length()));
    }

    static String version() {
        return "carrel " + Version.text() + "\n";
    }
}
