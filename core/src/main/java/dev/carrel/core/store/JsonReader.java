package dev.carrel.core.store;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Text to values. Strict: one value and nothing after it, no member twice, no comments. Depth is
 * bounded by the parser (500), so the recursion is, too.
 */
final class JsonReader {

    static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build();

    private JsonReader() {}

    static JsonValue read(byte[] utf8, JsonPlace place) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), utf8)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw place.failure("is empty");
            }
            JsonValue value = value(parser, first, place);
            if (parser.nextToken() != null) {
                throw place.failure("has text after the end of the value");
            }
            return value;
        } catch (JacksonException malformed) {
            throw place.failure("is not valid JSON: " + explain(malformed));
        }
    }

    private static String explain(JacksonException malformed) {
        var at = malformed.getLocation();
        String where =
                at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
        return malformed.getOriginalMessage() + where;
    }

    private static JsonValue value(JsonParser parser, JsonToken token, JsonPlace place) {
        return switch (token) {
            case START_OBJECT -> object(parser, place);
            case START_ARRAY -> array(parser, place);
            case VALUE_STRING -> new JsonString(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser, place);
            case VALUE_TRUE -> new JsonBoolean(true);
            case VALUE_FALSE -> new JsonBoolean(false);
            case VALUE_NULL -> JsonNull.INSTANCE;
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                    throw new IllegalStateException("the parser answered " + token);
        };
    }

    private static JsonNumber number(JsonParser parser, JsonPlace place) {
        try {
            return new JsonNumber(new BigDecimal(parser.getString()));
        } catch (NumberFormatException exponent) {
            throw place.failure("has an exponent that is out of range");
        }
    }

    private static JsonObject object(JsonParser parser, JsonPlace place) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            members.put(name, value(parser, parser.nextToken(), place.member(name)));
        }
        return new JsonObject(members, place);
    }

    private static JsonArray array(JsonParser parser, JsonPlace place) {
        List<JsonValue> values = new ArrayList<>();
        for (JsonToken next = parser.nextToken();
                next != JsonToken.END_ARRAY;
                next = parser.nextToken()) {
            values.add(value(parser, next, place.element(values.size())));
        }
        return new JsonArray(values, place);
    }
}
