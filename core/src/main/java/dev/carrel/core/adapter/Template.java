package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Invocation.Conversation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with placeholders such as {@code {model}}. It has no value where one of them has none.
 *
 * @param text as it was written
 */
record Template(String text) {

    static final List<String> NAMES =
            List.of("prompt", "conversation", "model", "base_url", "max_turns");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)\\}");

    /** The names of its placeholders, known or not. */
    List<String> names() {
        return PLACEHOLDER.matcher(text).results().map(found -> found.group(1)).toList();
    }

    /** With the values in their places; they are not looked through for placeholders again. */
    Optional<String> with(Map<String, String> values) {
        if (!values.keySet().containsAll(names())) {
            return Optional.empty();
        }
        return Optional.of(
                PLACEHOLDER
                        .matcher(text)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(values.getOrDefault(found.group(1), ""))));
    }

    /** The values of a call. */
    static Map<String, String> values(Invocation invocation) {
        Map<String, String> values = new TreeMap<>();
        values.put("prompt", invocation.prompt());
        values.put(
                "conversation",
                switch (invocation.conversation()) {
                    case Conversation.New(String id) -> id;
                    case Conversation.Resumed(String id, _) -> id;
                });
        invocation.model().ifPresent(model -> values.put("model", model));
        invocation.baseUrl().ifPresent(url -> values.put("base_url", url));
        invocation.maxTurns().ifPresent(turns -> values.put("max_turns", Integer.toString(turns)));
        return values;
    }

    /**
     * Words that come and go together: all of them, or none where a placeholder has no value.
     *
     * @param parts one or more
     */
    record Words(List<Template> parts) {

        Words {
            parts = List.copyOf(parts);
        }

        List<String> with(Map<String, String> values) {
            List<String> words = new ArrayList<>();
            for (Template part : parts) {
                Optional<String> word = part.with(values);
                if (word.isEmpty()) {
                    return List.of();
                }
                words.add(word.get());
            }
            return words;
        }
    }
}
