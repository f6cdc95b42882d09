package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.config.Document.Format;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a file holds, reading it ends soon, with problems and nothing else. */
class DocumentFuzzTest {

    private static final int ROUNDS = 500;
    private static final Path FILE = Path.of("/somewhere/carrel.yaml");
    private static final List<String> PIECES =
            List.of(
                    "&a ",
                    "*a",
                    "<<: ",
                    "!!map ",
                    "? ",
                    "- ",
                    ": ",
                    "{",
                    "}",
                    "[",
                    "]",
                    "|\n",
                    ">-\n",
                    "\"",
                    "'",
                    "#",
                    "---\n",
                    "...\n",
                    "%YAML 1.2\n",
                    "\t",
                    "\r",
                    "\u0000",
                    "\u2028",
                    "\ufeff",
                    "null",
                    "~",
                    "true",
                    "1e99999999",
                    "0x7fffffffffffffffffffffff",
                    ".inf",
                    "-",
                    "9".repeat(400),
                    "[".repeat(200),
                    "{a: ".repeat(200),
                    "\ud83d\ude00",
                    "\\",
                    "repos: 3\n",
                    "sandbox:\n");

    private static String everything() {
        return Starter.text()
                .replaceAll("(?m)^# ", "")
                .replaceAll("(?m)^(Settings|carrel config|A carrel).*", "");
    }

    private static String codumentor() {
        return "x: [1, 2]\nplugins:\n- module: codumentor.plugins.workspace_isolation\n  args:\n"
                + everything().replaceAll("(?m)^", "    ");
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void nothingButProblemsComesOut(Format format) {
        Random random = new Random(20260101);
        String valid = format == Format.CARREL ? everything() : codumentor();
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> {
                    int readable = 0;
                    for (int round = 0; round < ROUNDS; round++) {
                        byte[] text = mutated(valid, random);
                        Document document = DocumentReader.read(FILE, text, format);
                        assertThat(document.problems())
                                .allMatch(problem -> !problem.text().isEmpty());
                        readable += document.hasErrors() ? 0 : 1;
                        put(document);
                    }
                    assertThat(readable).isBetween(ROUNDS / 50, ROUNDS * 9 / 10);
                });
    }

    /** What was read without errors can be merged, in either role. */
    private static void put(Document document) {
        ConfigRequest request =
                new ConfigRequest(
                        Optional.empty(), Map.of(), FILE, Path.of("/home/me"), 1000, () -> "");
        for (boolean own : new boolean[] {true, false}) {
            Merging merging = new Merging(request, new Schema());
            if (own) {
                merging.repository(FILE, document);
            } else {
                merging.users(FILE, document);
            }
            merging.finish();
            Configuration configuration =
                    new Configuration(
                            Optional.empty(),
                            List.of(),
                            merging.values(),
                            merging.problems(),
                            List.of());
            assertThat(configuration.effective()).isNotEmpty();
            assertThat(configuration.settings()).isNotNull();
            assertThat(configuration.repos()).isNotNull();
            assertThat(configuration.retention()).isNotNull();
            assertThat(ToCome.in(configuration)).isNotNull();
        }
    }

    private static byte[] mutated(String valid, Random random) {
        List<String> lines = new ArrayList<>(List.of(valid.split("(?<=\n)")));
        // Short files, so that most of what is wrong is not hidden by something else.
        int from = random.nextInt(lines.size());
        StringBuilder text =
                new StringBuilder(
                        String.join(
                                "",
                                random.nextBoolean()
                                        ? lines
                                        : lines.subList(from, Math.min(lines.size(), from + 8))));
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            int at = random.nextInt(text.length() + 1);
            switch (random.nextInt(4)) {
                case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(30)));
                case 2 -> text.insert(at, lines.get(random.nextInt(lines.size())));
                default -> text.insert(at, (char) random.nextInt(0x180));
            }
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        if (random.nextInt(20) == 0 && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }
}
