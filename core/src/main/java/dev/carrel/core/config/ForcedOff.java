package dev.carrel.core.config;

import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a session with {@code mode: host_readonly} cannot have, since it has no repositories. */
public final class ForcedOff {

    private ForcedOff() {}

    /** The values that hold in its place. */
    static Map<String, JsonValue> values() {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        values.put("snapshots.enabled", new JsonBoolean(false));
        values.put("project_setup.enabled", new JsonBoolean(false));
        values.put("integration.enabled", new JsonBoolean(false));
        values.put("subagent_isolation", new JsonString("shared"));
        return values;
    }

    static String text(String key, JsonValue asked, JsonValue instead) {
        return key
                + ": "
                + SchemaKey.shown(asked)
                + " is not possible with mode: host_readonly; "
                + SchemaKey.shown(instead)
                + " is used instead";
    }

    /**
     * What files asked for and a session of that mode does not get, one line each. Where a file
     * says that mode itself, its problems say so already.
     */
    public static List<String> asked(Configuration configuration) {
        List<String> asked = new ArrayList<>();
        values().forEach((key, instead) ->
                configuration
                        .set(key)
                        .filter(value -> !value.value().equals(instead))
                        .flatMap(value ->
                                value.origin()
                                        .map(at -> at + ": " + text(key, value.value(), instead)))
                        .ifPresent(asked::add));
        return asked;
    }

    /** Whether a key is of something that such a session has not. */
    static boolean isOf(String key) {
        return values().containsKey(key)
                || key.startsWith("project_setup.")
                || key.startsWith("integration.")
                || key.equals("snapshots.shared");
    }
}
