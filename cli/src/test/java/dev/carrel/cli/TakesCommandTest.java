package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TakesCommandTest {

    private static final List<List<String>> COMMANDS =
            List.of(
                    List.of("true"),
                    List.of("npm", "test", "--", "--watch"),
                    List.of("sh", "-c", "echo \"$1\"", "sh", "--json"),
                    List.of("echo", "", "@file", "${x}", "'quoted'", "\"quoted\"", "a=b"),
                    List.of("--", "--", "x"),
                    List.of(""));

    private static final List<Supplier<TakesCommand>> VERBS =
            List.of(RunVerb::new, PlanRunVerb::new, ExecVerb::new, PlanExecVerb::new);

    @Test
    void aCommandWithoutOptionsIsWhatTheParserWouldHaveFound() {
        for (Supplier<TakesCommand> verb : VERBS) {
            for (List<String> words : COMMANDS) {
                TakesCommand parsed = verb.get();
                VerbHelp.parser(parsed).parseArgs(withSeparator(words));
                TakesCommand given = verb.get();

                given.command(words);

                assertThat(given).usingRecursiveComparison().isEqualTo(parsed);
            }
        }
    }

    @Test
    void aCommandThatFollowsAtOnceIsWhatTheParserWouldHaveFound() {
        for (Supplier<TakesCommand> verb : VERBS) {
            TakesCommand parsed = verb.get();
            VerbHelp.parser(parsed).parseArgs("make", "--", "-k");
            TakesCommand given = verb.get();

            given.command(List.of("make", "--", "-k"));

            assertThat(given).usingRecursiveComparison().isEqualTo(parsed);
        }
    }

    private static String[] withSeparator(List<String> words) {
        String[] line = new String[words.size() + 1];
        line[0] = "--";
        for (int i = 0; i < words.size(); i++) {
            line[i + 1] = words.get(i);
        }
        return line;
    }
}
