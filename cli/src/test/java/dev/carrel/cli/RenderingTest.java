package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RenderingTest {

    @Test
    void writesJsonInOneLine() {
        Json json =
                Json.object()
                        .put("text", "a\"\\\n\u001b\u00e9\ud83d\ude00")
                        .put("number", 3)
                        .put("flag", true)
                        .put("list", Json.texts(List.of("x", "y")))
                        .put("none", new Json.Array(List.of()))
                        .put("empty", Json.object())
                        .putIfPresent("absent", Optional.empty());

        assertThat(json.written())
                .isEqualTo(
                        "{\"text\":\"a\\\"\\\\\\u000a\\u001b\u00e9\\ud83d\\ude00\",\"number\":3,"
                                + "\"flag\":true,\"list\":[\"x\",\"y\"],\"none\":[],\"empty\":{}}");
    }

    @Test
    void alignsColumns() {
        assertThat(new Table().row("A", "B").row("long", "\u00e9").row("x", "").lines())
                .containsExactly("A     B", "long  \u00e9", "x");
    }

    @Test
    void shortensSizes() {
        assertThat(List.of(0L, 999L, 1000L, 10_000L, 1L << 20, 150L << 30))
                .extracting(Human::size)
                .containsExactly("0B", "999B", "1.0K", "9.8K", "1.0M", "150G");
    }

    @Test
    void shortensTimes() {
        Instant now = Instant.EPOCH;
        assertThat(List.of(1, 59, 61, 3700, 100_000, 200_000))
                .extracting(seconds -> Human.age(now.minusSeconds(seconds), now))
                .containsExactly("now", "59s", "1m", "1h", "27h", "2d");
        assertThat(List.of(5, 1500, 61_000))
                .extracting(millis -> Human.duration(Duration.ofMillis(millis)))
                .containsExactly("5ms", "1.5s", "1m1s");
    }

    @Test
    void keepsControlCharactersFromTheTerminal() {
        assertThat(Human.oneLine("plain \u00e9")).isEqualTo("plain \u00e9");
        assertThat(Human.oneLine("a\u001b]0;x\u0007\nb\u202e"))
                .isEqualTo("a\\u001b]0;x\\u0007\\u000ab\\u202e");
    }

    @Test
    void givesTheCallersVariablesBack() {
        assertThat(
                        CallerEnvironment.of(
                                Map.of(
                                        "CARREL_LAUNCHER",
                                        "/x",
                                        "LC_ALL",
                                        "C.UTF-8",
                                        "PATH",
                                        "/bin",
                                        "CARREL_CALLER_JAVA_TOOL_OPTIONS",
                                        "-Dx",
                                        "CARREL_WORKSPACES",
                                        "/w")))
                .isEqualTo(
                        Map.of(
                                "PATH",
                                "/bin",
                                "JAVA_TOOL_OPTIONS",
                                "-Dx",
                                "CARREL_WORKSPACES",
                                "/w"));
        assertThat(
                        CallerEnvironment.of(
                                Map.of(
                                        "CARREL_LAUNCHER",
                                        "/x",
                                        "LC_ALL",
                                        "C.UTF-8",
                                        "CARREL_CALLER_LC_ALL",
                                        "de_DE")))
                .isEqualTo(Map.of("LC_ALL", "de_DE"));
        assertThat(CallerEnvironment.of(Map.of("LC_ALL", "C"))).isEqualTo(Map.of("LC_ALL", "C"));
    }
}
