package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Description.Output;
import dev.carrel.core.config.YamlGroup;
import java.util.List;
import java.util.Optional;

/** Reads which part of which line is what. */
final class JsonLinesReader {

    private static final List<String> KEYS =
            List.of("text", "conversation", "error", "success", "input_tokens", "output_tokens");

    private static final Pointer NOWHERE = new Pointer(List.of());

    private JsonLinesReader() {}

    static Output read(YamlGroup file) {
        Optional<YamlGroup> json = file.group("json").map(group -> group.only(KEYS));
        if (!file.has("json")) {
            file.complain("json", "it is missing; output: json_lines needs it");
        }
        return json.map(JsonLinesReader::mapping).orElse(new Output.Text());
    }

    private static Output mapping(YamlGroup json) {
        Optional<YamlGroup> success =
                json.group("success").map(sign -> sign.only(List.of("pointer", "value")));
        if (!json.has("success")) {
            json.complain("success", "it is missing; use {pointer: /type, value: done}");
        }
        success.ifPresent(sign -> sign.required("pointer"));
        return new Output.JsonLines(
                pointer(json, "text"),
                pointer(json, "conversation"),
                pointer(json, "error"),
                success.flatMap(sign -> pointer(sign, "pointer")).orElse(NOWHERE),
                success.flatMap(sign -> sign.required("value")).orElse(""),
                pointer(json, "input_tokens"),
                pointer(json, "output_tokens"));
    }

    private static Optional<Pointer> pointer(YamlGroup group, String key) {
        Optional<String> text = group.text(key);
        Optional<Pointer> pointer = text.flatMap(Pointer::of);
        if (text.isPresent() && pointer.isEmpty()) {
            group.complain(
                    key, "'" + text.get() + "' is no JSON pointer; use one such as /message/text");
        }
        return pointer;
    }
}
