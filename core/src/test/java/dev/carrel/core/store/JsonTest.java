package dev.carrel.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @TempDir Path host;

    @Test
    void readsWhatItWrote() {
        JsonObject session =
                JsonObject.builder()
                        .put("id", "calm-otter")
                        .put("version", 1)
                        .put("ratio", 0.25)
                        .put("kept", true)
                        .put("name", Optional.empty())
                        .putStrings("arguments", List.of("a b", "\u0000\n\"", "🦦"))
                        .putObjects("repos", List.of(JsonObject.builder().put("n", 2).build()))
                        .put("nothing", JsonNull.INSTANCE)
                        .build();
        Path file = host.resolve("session.json");

        Json.write(file, session);

        JsonObject read = Json.read(file);
        assertThat(read).isEqualTo(session);
        assertThat(read.string("id")).isEqualTo("calm-otter");
        assertThat(read.integer("version")).isEqualTo(1);
        assertThat(read.number("ratio")).isEqualTo(0.25);
        assertThat(read.bool("kept")).isTrue();
        assertThat(read.strings("arguments")).containsExactly("a b", "\u0000\n\"", "🦦");
        assertThat(read.objects("repos").getFirst().smallInteger("n")).isEqualTo(2);
        assertThat(read.optString("name")).isEmpty();
        assertThat(read.optString("nothing")).isEmpty();
        assertThat(read.members().keySet())
                .containsExactly("id", "version", "ratio", "kept", "arguments", "repos", "nothing");
    }

    @Test
    void printsCompactAndPretty() {
        JsonValue value = Json.parse("{\"b\": [1, {}], \"a\": \"x\"}", "test");

        assertThat(value).hasToString("{\"b\":[1,{}],\"a\":\"x\"}");
        assertThat(value.toPretty())
                .isEqualTo("{\n  \"b\" : [\n    1,\n    { }\n  ],\n  \"a\" : \"x\"\n}");
    }

    @Test
    void namesFileAndMemberOfAWrongValue() throws Exception {
        Path file = host.resolve("s.json");
        Files.writeString(file, "{\"repos\": [{\"name\": 3}], \"n\": 1.5}");
        JsonObject object = Json.read(file);

        assertThatThrownBy(() -> object.objects("repos").getFirst().string("name"))
                .isInstanceOf(BrokenStoreException.class)
                .hasMessage(file + ": repos[0].name must be a text, but is a number");
        assertThatThrownBy(() -> object.string("id"))
                .isInstanceOf(BrokenStoreException.class)
                .hasMessage(file + ": id is missing");
        assertThatThrownBy(() -> object.integer("n"))
                .hasMessage(file + ": n must be a whole number, but is 1.5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\":1,\"a\":2}",
                "{} {}",
                "{} x",
                "{\"a\":1,}",
                "{a:1}",
                "// c\n{}",
                "{\"a\":NaN}",
                "{\"a\":01}"
            })
    void refusesWhatIsNotOneStrictValue(String text) throws Exception {
        assertThatThrownBy(() -> Json.parse(text, "request"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("request: ");
        Path file = Files.writeString(host.resolve("f.json"), text);
        assertThatThrownBy(() -> Json.read(file))
                .isInstanceOf(BrokenStoreException.class)
                .hasMessageStartingWith(file.toString());
        assertThat(file).hasContent(text);
    }

    @Test
    void nestingIsBounded() {
        assertThatThrownBy(() -> Json.parse("[".repeat(100_000), "request"))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void hugeExponentsAreNoWholeNumbers() {
        JsonObject object = (JsonObject) Json.parse("{\"n\": 1e999999999}", "request");

        assertThatThrownBy(() -> object.integer("n")).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void aMissingFileIsNotFound() {
        assertThatThrownBy(() -> Json.read(host.resolve("none")))
                .isInstanceOf(NotFoundException.class);
        assertThat(Json.readIfExists(host.resolve("none"))).isEmpty();
    }
}
