package dev.carrel.core.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Whole option lists in resource files, one option with its values a line. */
final class Golden {

    private Golden() {}

    static void assertSame(List<String> words, String file) throws IOException {
        assertThat(String.join("\n", lines(words)) + "\n").isEqualTo(read(file));
    }

    private static List<String> lines(List<String> words) {
        List<String> lines = new ArrayList<>();
        for (String word : words) {
            if (word.startsWith("--") || lines.isEmpty()) {
                lines.add(word);
            } else {
                lines.add(lines.removeLast() + " " + word);
            }
        }
        return lines;
    }

    private static String read(String file) throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(Golden.class.getResourceAsStream(file), file)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
