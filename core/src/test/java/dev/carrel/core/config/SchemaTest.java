package dev.carrel.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.config.Document.Format;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.policy.SettingKey;
import dev.carrel.core.store.JsonNull;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The schema agrees with itself, with the settings of sessions, and with the starter file. */
class SchemaTest {

    private final Schema schema = new Schema();

    @Test
    void everyKeyIsDescribedAndHasARule() {
        assertThat(schema.keys()).hasSizeGreaterThan(60);
        assertThat(schema.keys())
                .allSatisfy(key -> {
                    assertThat(key.description()).as(key.path()).endsWith(".");
                    assertThat(key.narrowing().described()).as(key.path()).isNotEmpty();
                    assertThat(key.allowed()).as(key.path()).isNotEmpty();
                    key.fallback()
                            .ifPresent(word ->
                                    assertThat(key.choices())
                                            .extracting(SchemaKey::shown)
                                            .contains(word));
                    if (key.narrowing() instanceof Narrowing.Order order) {
                        assertThat(order.widestFirst())
                                .containsExactlyInAnyOrderElementsOf(key.choices());
                    }
                });
    }

    @Test
    void everySettingOfASessionIsAKeyWithTheSameChoices() {
        for (SettingKey setting : SettingKey.values()) {
            SchemaKey key = schema.key(setting.key()).orElseThrow();
            // In files it is an object, in options a list of NAME=ADDRESS.
            boolean list = setting.isList() && setting != SettingKey.EGRESS_HOSTS;
            assertThat(key.isList()).as(setting.key()).isEqualTo(list);
            // In files null stands for no choice.
            List<String> choices =
                    key.choices().stream()
                            .filter(choice -> choice != JsonNull.INSTANCE)
                            .map(SchemaKey::shown)
                            .toList();
            if (!setting.choices().equals(List.of("true", "false"))) {
                assertThat(choices).as(setting.key()).isEqualTo(setting.choices());
            }
        }
    }

    @Test
    void thingsAreKeptAsLongAsTheSchemaSays() {
        Map<String, Value> values = new LinkedHashMap<>();
        schema.keys().stream()
                .filter(key -> key.defaultValue().isPresent())
                .forEach(key ->
                        values.put(
                                key.path(),
                                new Value(key.defaultValue().orElseThrow(), Optional.empty())));
        Configuration defaults =
                new Configuration(Optional.empty(), List.of(), values, List.of(), List.of());

        assertThat(defaults.retention()).isEqualTo(Retention.DEFAULT);
        assertThat(Configuration.NONE.retention()).isEqualTo(Retention.DEFAULT);
    }

    @Test
    void whatIsInEffectHasARowForEveryKey() {
        assertThat(Configuration.NONE.effective().keySet())
                .containsExactlyElementsOf(
                        schema.keys().stream()
                                .filter(key -> key.instead().isEmpty())
                                .map(SchemaKey::path)
                                .filter(path -> !path.contains("*"))
                                .toList());
        assertThat(Configuration.NONE.effective().get("sandbox.hostname"))
                .satisfies(value -> assertThat(value.isNone()).isTrue());
    }

    @Test
    void theStarterIsValidAsItIsAndWithoutItsComments() {
        String starter = Starter.text();
        assertThat(problems(starter)).isEmpty();

        String everything =
                starter.replaceAll("(?m)^# ", "")
                        .replaceAll("(?m)^(Settings|carrel config|A carrel).*", "");
        assertThat(problems(everything)).isEmpty();
        assertThat(
                        DocumentReader.read(
                                        Path.of("x"),
                                        everything.getBytes(StandardCharsets.UTF_8),
                                        Format.CARREL)
                                .entries())
                .hasSize(
                        (int)
                                schema.keys().stream()
                                        .filter(key -> key.instead().isEmpty())
                                        .count());
    }

    @Test
    void theStarterSaysWhichKeysHaveNoEffectYet() {
        List<String> lines =
                Starter.text().lines().map(line -> line.replaceAll("^[# ]*", "")).toList();

        for (SchemaKey key : schema.keys()) {
            if (key.instead().isEmpty()) {
                boolean toCome = lines.contains(key.description() + Starter.NO_EFFECT);
                assertThat(toCome).as(key.path()).isEqualTo(ToCome.isToCome(key.path()));
            }
        }
        assertThat(ToCome.isToCome("subagent_isolation")).isTrue();
        assertThat(ToCome.isToCome("snapshots.include")).isFalse();
    }

    private static List<Problem> problems(String text) {
        return DocumentReader.read(
                        Path.of("x"), text.getBytes(StandardCharsets.UTF_8), Format.CARREL)
                .problems();
    }
}
