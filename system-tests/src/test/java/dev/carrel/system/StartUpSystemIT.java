package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.system.Installation.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a command loads comes from the start-up cache. */
@Timeout(120)
class StartUpSystemIT {

    /** Those of native calls, which no cache of Java 25 holds, and a few more. */
    private static final int MOST_GENERATED = 56;

    private static final Pattern OURS =
            Pattern.compile("source: file:|TypeSwitch/0x\\w+ source: dev\\.carrel");

    private static Installation installation;

    @TempDir Path scratch;

    @BeforeAll
    static void install() throws Exception {
        installation = Installation.open();
        // Settings are read once for all runs.
        installation.carrel("config", "check");
    }

    @AfterAll
    static void remove() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    /** The lines of the Java machine about classes that were not in the cache. */
    private List<String> loadedBy(String... words) throws Exception {
        Path log = scratch.resolve("classes.log");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "CARREL_JAVA_OPTS=-Xlog:class+load:file=" + log,
                                Installation.program()));
        command.addAll(List.of(words));
        Answer answer = installation.host(command.toArray(String[]::new));
        assertThat(answer.exit()).as(answer.err()).isZero();
        try (Stream<String> lines = Files.lines(log)) {
            List<String> all = lines.filter(line -> line.contains(" source: ")).toList();
            assertThat(all).as("the log itself").hasSizeGreaterThan(1000);
            return all.stream().filter(line -> !line.contains("shared objects file")).toList();
        }
    }

    @Test
    void aRunLoadsAlmostNothingFromElsewhere() throws Exception {
        assertThat(loadedBy("run", "--", "true"))
                .noneMatch(line -> OURS.matcher(line).find())
                .hasSizeLessThan(MOST_GENERATED);
    }

    @Test
    void theVersionLoadsNothingFromElsewhere() throws Exception {
        assertThat(loadedBy("--version")).hasSizeLessThan(4);
    }
}
