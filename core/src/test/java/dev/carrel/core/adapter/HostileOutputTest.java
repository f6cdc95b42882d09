package dev.carrel.core.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.adapter.Invocation.Conversation;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a program prints, its reader neither fails nor keeps much of it. */
final class HostileOutputTest {

    private static final int ROUNDS = 8;

    private static final Invocation CALL =
            new Invocation(
                    "prompt",
                    new Conversation.New("id"),
                    Optional.empty(),
                    Optional.empty(),
                    OptionalInt.of(5),
                    List.of(),
                    false);

    private static final List<String> ODD =
            List.of(
                    "null",
                    "[]",
                    "{}",
                    "-1",
                    "1e999999999",
                    "1e99999999999999",
                    "0.1e-999999999",
                    "\"\"",
                    "\"\\ud800\"",
                    "true",
                    "[[[[{\"type\":\"result\"}]]]]");

    private static List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String sample : SamplesTest.samples().toList()) {
            lines.addAll(Files.readAllLines(SamplesTest.FOLDER.resolve(sample + ".jsonl")));
        }
        return lines;
    }

    private static String changed(String line, Random random) {
        StringBuilder text = new StringBuilder(line);
        for (int change = random.nextInt(4); change >= 0 && !text.isEmpty(); change--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(0xffff));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.setLength(at);
                case 3 -> text.insert(at, "{\"type\":");
                default -> replaceValue(text, at, ODD.get(random.nextInt(ODD.size())));
            }
        }
        return text.toString();
    }

    private static void replaceValue(StringBuilder text, int from, String value) {
        int begin = text.indexOf(":", from);
        int end = begin < 0 ? -1 : text.indexOf(",", begin);
        if (end > 0) {
            text.replace(begin + 1, end, value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude_code", "codex", "gemini_cli", "opencode"})
    void changedLinesNeverFail(String name) throws IOException {
        List<String> lines = lines();
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            EventParser parser = Adapters.of(Adapters.builtIn()).find(name).parser(CALL);
            for (String line : lines) {
                for (AgentEvent event : parser.line(changed(line, random))) {
                    assertThat(Rendering.of(event)).isNotEmpty();
                }
                assertThat(parser.givenUp()).isNotNull();
            }
            AgentReport report = parser.finish(random.nextInt(256), changed("Error: x\n", random));
            assertThat(Rendering.of(report)).hasSize(7);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude_code", "codex", "gemini_cli", "opencode"})
    void whatIsAddedUpDoesNotOverflow(String name) {
        EventParser parser = Adapters.of(Adapters.builtIn()).find(name).parser(CALL);
        String huge = "999999999999999999999999";
        for (int i = 0; i < 1000; i++) {
            parser.line(
                    "{\"type\":\"step_finish\",\"part\":{\"cost\":1e300,\"tokens\":{\"input\":"
                            + huge
                            + "}}}");
            parser.line(
                    "{\"type\":\"assistant\",\"message\":{\"id\":\"m"
                            + i
                            + "\",\"usage\":{\"input_tokens\":"
                            + huge
                            + "}}}");
            parser.line("{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":" + huge + "}}");
        }
        assertThat(parser.finish(0, "").usage().input()).isNotNegative();
    }

    @Test
    void aHugeOutputOfAToolIsShortened() {
        String huge = "x".repeat(10_000_000);
        EventParser claude = new ClaudeCode().parser(CALL);
        List<AgentEvent> events =
                Assertions.assertTimeoutPreemptively(
                        Duration.ofSeconds(10),
                        () ->
                                claude.line(
                                        "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":"
                                                + "\"tool_result\",\"content\":\""
                                                + huge
                                                + "\"}]}}"));
        assertThat(events)
                .containsExactly(new AgentEvent.ToolResult("", "x".repeat(1999) + "…", false));
    }

    @Test
    void aLineOfVeryManyValuesSaysNothing() {
        String text = ",[{\\\\\\\"".repeat(300_000);
        assertThat(told("\"" + text + "\"")).as("they are part of a text").isPresent();
        assertThat(told("[" + "1,".repeat(200_000) + "1]")).isPresent();
        assertThat(told("[" + "1,".repeat(300_000) + "1]")).isEmpty();
        assertThat(told("[" + "[],".repeat(300_000) + "1]")).isEmpty();
    }

    private static Optional<String> told(String more) {
        return Loose.line("{\"type\":\"x\",\"more\":" + more + "}").at("type").someText();
    }

    @Test
    void piecesOfAnAnswerAddUpInLinearTimeAndToAMost() {
        EventParser gemini = new GeminiCli().parser(CALL);
        String piece =
                "{\"type\":\"message\",\"role\":\"assistant\",\"delta\":true,\"content\":\""
                        + "y".repeat(100)
                        + "\"}";
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> {
                    for (int i = 0; i < 50_000; i++) {
                        gemini.line(piece);
                    }
                });
        assertThat(gemini.finish(0, "").text()).hasSizeLessThanOrEqualTo(Excerpt.ANSWER);
    }
}
