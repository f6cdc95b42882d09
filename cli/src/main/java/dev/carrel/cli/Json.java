package dev.carrel.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON value that is written in one line, fields in the order in which they were put. */
sealed interface Json {

    /** A text. */
    record Text(String value) implements Json {}

    /** A number or a truth value, as it is written. */
    record Literal(String value) implements Json {}

    /** A list. */
    record Array(List<Json> values) implements Json {
        public Array {
            values = List.copyOf(values);
        }
    }

    /** Fields. */
    final class Fields implements Json {
        private final Map<String, Json> fields = new LinkedHashMap<>();

        Fields put(String name, String value) {
            return put(name, new Text(value));
        }

        Fields put(String name, long value) {
            return put(name, new Literal(Long.toString(value)));
        }

        Fields put(String name, boolean value) {
            return put(name, new Literal(Boolean.toString(value)));
        }

        Fields put(String name, Json value) {
            fields.put(name, value);
            return this;
        }

        /** The field is left out where there is no value. */
        Fields putIfPresent(String name, Optional<String> value) {
            value.ifPresent(text -> put(name, text));
            return this;
        }

        /**
         * A name of a file. What is not UTF-8 is shown with replacement characters, and comes once
         * more without loss as base64 in a field that ends with {@code Bytes}.
         */
        Fields putName(String name, byte[] bytes) {
            try {
                return put(
                        name,
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(bytes))
                                .toString());
            } catch (CharacterCodingException e) {
                return put(name, new String(bytes, StandardCharsets.UTF_8))
                        .put(name + "Bytes", Base64.getEncoder().encodeToString(bytes));
            }
        }
    }

    /** No fields yet. */
    static Fields object() {
        return new Fields();
    }

    /** A list of texts. */
    static Json texts(List<String> values) {
        List<Json> texts = new ArrayList<>();
        values.forEach(value -> texts.add(new Text(value)));
        return new Array(texts);
    }

    /** The value in one line. */
    default String written() {
        StringBuilder to = new StringBuilder();
        write(this, to);
        return to.toString();
    }

    private static void write(Json value, StringBuilder to) {
        switch (value) {
            case Text(String text) -> quote(text, to);
            case Literal(String text) -> to.append(text);
            case Array(List<Json> values) -> {
                String separator = "[";
                for (Json each : values) {
                    write(each, to.append(separator));
                    separator = ",";
                }
                to.append(values.isEmpty() ? "[]" : "]");
            }
            case Fields object -> {
                String separator = "{";
                for (Map.Entry<String, Json> field : object.fields.entrySet()) {
                    quote(field.getKey(), to.append(separator));
                    write(field.getValue(), to.append(':'));
                    separator = ",";
                }
                to.append(object.fields.isEmpty() ? "{}" : "}");
            }
        }
    }

    private static void quote(String text, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
                to.append(String.format("\\u%04x", (int) c));
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }
}
