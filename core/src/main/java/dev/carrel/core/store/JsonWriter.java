package dev.carrel.core.store;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Values to text. */
final class JsonWriter {

    private JsonWriter() {}

    static String compact(JsonValue value) {
        return write(value, ObjectWriteContext.empty());
    }

    static String pretty(JsonValue value) {
        return write(value, new Indented());
    }

    private static String write(JsonValue value, ObjectWriteContext context) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JsonReader.FACTORY.createGenerator(context, text)) {
            write(value, generator);
        }
        return text.toString();
    }

    private static void write(JsonValue value, JsonGenerator to) {
        switch (value) {
            case JsonObject object -> {
                to.writeStartObject();
                object.members()
                        .forEach((name, member) -> {
                            to.writeName(name);
                            write(member, to);
                        });
                to.writeEndObject();
            }
            case JsonArray array -> {
                to.writeStartArray();
                array.values().forEach(element -> write(element, to));
                to.writeEndArray();
            }
            case JsonString string -> to.writeString(string.value());
            case JsonNumber number -> to.writeNumber(number.value());
            case JsonBoolean bool -> to.writeBoolean(bool.value());
            case JsonNull _ -> to.writeNull();
        }
    }

    private static final class Indented extends ObjectWriteContext.Base {

        @Override
        public PrettyPrinter getPrettyPrinter() {
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
            printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
            return printer;
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
