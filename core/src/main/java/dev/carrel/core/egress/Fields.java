package dev.carrel.core.egress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The fields of a message of HTTP, in order. */
record Fields(List<Field> list) {

    /** What is said to the next station alone (RFC 9110, 7.6.1), or by us. */
    private static final Set<String> HOP_BY_HOP =
            Set.of(
                    "connection",
                    "proxy-connection",
                    "keep-alive",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "content-length",
                    "upgrade",
                    "http2-settings",
                    "proxy-authorization",
                    "proxy-authenticate",
                    "proxy-authentication-info");

    /** A name and its value, without the space around it. */
    record Field(String name, String value) {

        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    Fields {
        list = List.copyOf(list);
    }

    /** All values of a name, in order. */
    List<String> all(String name) {
        return list.stream().filter(field -> field.is(name)).map(Field::value).toList();
    }

    boolean has(String name) {
        return list.stream().anyMatch(field -> field.is(name));
    }

    /** Whether a field that is a list of words has this one. */
    boolean lists(String name, String word) {
        return words(name).contains(word);
    }

    private Set<String> words(String name) {
        Set<String> words = new TreeSet<>();
        for (String value : all(name)) {
            for (String word : value.split(",", -1)) {
                words.add(word.strip().toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }

    /** Those that are meant for the other end. */
    List<Field> endToEnd() {
        Set<String> named = words("connection");
        List<Field> kept = new ArrayList<>();
        for (Field field : list) {
            String name = field.name.toLowerCase(Locale.ROOT);
            if (!HOP_BY_HOP.contains(name) && !named.contains(name)) {
                kept.add(field);
            }
        }
        return kept;
    }
}
