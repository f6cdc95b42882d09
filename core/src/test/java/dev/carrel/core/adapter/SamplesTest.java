package dev.carrel.core.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.adapter.Invocation.Conversation;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the real programs printed, and what is to be made of it. Beside each {@code CASE.jsonl} are
 * how the run ended ({@code CASE.end.json}) and what was expected by hand ({@code CASE.expected}).
 */
final class SamplesTest {

    static final Path FOLDER = Path.of("src/test/resources/dev/carrel/core/adapter");

    static Stream<String> samples() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files
                    .filter(file -> file.toString().endsWith(".jsonl"))
                    .map(file -> FOLDER.relativize(file).toString().replace(".jsonl", ""))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aRecordedRunIsUnderstood(String sample) throws IOException {
        JsonObject end = Json.read(FOLDER.resolve(sample + ".end.json"));
        String adapter = sample.substring(0, sample.indexOf('/'));
        EventParser parser = Adapters.of(Adapters.builtIn()).find(adapter).parser(invocation(end));
        List<String> told = new ArrayList<>();
        boolean gaveUp = false;
        for (String line : Files.readAllLines(FOLDER.resolve(sample + ".jsonl"))) {
            parser.line(line).stream().map(Rendering::of).forEach(told::add);
            if (!gaveUp && parser.givenUp().isPresent()) {
                gaveUp = true;
                told.add("gives up: " + Rendering.of(parser.givenUp().get()));
            }
        }
        told.addAll(Rendering.of(parser.finish(end.smallInteger("exit"), end.string("error"))));
        assertThat(String.join("\n", told) + "\n")
                .isEqualTo(Files.readString(FOLDER.resolve(sample + ".expected")));
    }

    @Test
    void everyAdapterHasSamples() throws IOException {
        List<String> all = samples().toList();
        for (AgentAdapter adapter : Adapters.builtIn()) {
            assertThat(all).contains(adapter.name() + "/write", adapter.name() + "/bad-key");
        }
    }

    private static Invocation invocation(JsonObject end) {
        Conversation conversation =
                end.optObject("before")
                        .<Conversation>map(
                                before -> new Conversation.Resumed("id", Rendering.usage(before)))
                        .orElse(new Conversation.New("id"));
        long most = end.optInteger("maxTurns").orElse(0);
        return new Invocation(
                "prompt",
                conversation,
                Optional.empty(),
                Optional.empty(),
                most == 0 ? OptionalInt.empty() : OptionalInt.of((int) most),
                List.of(),
                false);
    }
}
