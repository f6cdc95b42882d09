package dev.carrel.core.bwrap;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The options of one bubblewrap run. They travel in a file ({@code --args}), never on the command
 * line: what stands on the command line is shown to every process inside by {@code
 * /proc/1/cmdline}.
 */
public record Options(List<String> words) {

    public Options {
        words = List.copyOf(words);
        for (String word : words) {
            if (word.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("an option holds a NUL byte");
            }
        }
    }

    /** The file that {@code --args} reads: each word ends with a NUL byte. */
    public byte[] fileContent() {
        StringBuilder text = new StringBuilder();
        for (String word : words) {
            text.append(word).append('\0');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
