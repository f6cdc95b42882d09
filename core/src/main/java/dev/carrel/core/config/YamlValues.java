package dev.carrel.core.config;

import dev.carrel.core.config.YamlNode.Mapping;
import dev.carrel.core.config.YamlNode.Member;
import dev.carrel.core.config.YamlNode.Scalar;
import dev.carrel.core.config.YamlNode.Sequence;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * What the scalars of a document mean, by the core schema of YAML 1.2: {@code no}, {@code on} and
 * {@code off} are texts. Numbers of more digits than anybody writes are texts too, since arithmetic
 * with them would take for ever.
 */
final class YamlValues {

    private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]{1,30}");
    private static final Pattern OCTAL = Pattern.compile("0o[0-7]{1,30}");
    private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]{1,30}");
    private static final Pattern FRACTION =
            Pattern.compile(
                    "[-+]?(\\.[0-9]{1,30}|[0-9]{1,30}(\\.[0-9]{0,30})?)([eE][-+]?[0-9]{1,2})?");

    private YamlValues() {}

    static JsonValue of(YamlNode node) {
        return switch (node) {
            case Scalar scalar -> of(scalar);
            case Sequence sequence ->
                    JsonArray.of(sequence.items().stream().map(YamlValues::of).toList());
            case Mapping mapping -> {
                JsonObject.Builder object = JsonObject.builder();
                for (Member member : mapping.members()) {
                    object.put(member.name(), of(member.value()));
                }
                yield object.build();
            }
        };
    }

    private static JsonValue of(Scalar scalar) {
        String text = scalar.text();
        if (!scalar.plain()) {
            return new JsonString(text);
        }
        return switch (text) {
            case "", "~", "null", "Null", "NULL" -> JsonNull.INSTANCE;
            case "true", "True", "TRUE" -> new JsonBoolean(true);
            case "false", "False", "FALSE" -> new JsonBoolean(false);
            default -> number(text);
        };
    }

    private static JsonValue number(String text) {
        if (DECIMAL.matcher(text).matches()) {
            return new JsonNumber(new BigDecimal(text));
        }
        if (OCTAL.matcher(text).matches()) {
            return new JsonNumber(new BigDecimal(new BigInteger(text.substring(2), 8)));
        }
        if (HEXADECIMAL.matcher(text).matches()) {
            return new JsonNumber(new BigDecimal(new BigInteger(text.substring(2), 16)));
        }
        return FRACTION.matcher(text).matches()
                ? new JsonNumber(new BigDecimal(text))
                : new JsonString(text);
    }
}
