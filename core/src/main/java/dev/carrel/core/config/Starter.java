package dev.carrel.core.config;

import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonValue;
import java.util.List;
import java.util.Map;

/** A file to begin with: every key as a comment, with what it does and its default. */
public final class Starter {

    private static final String HEAD =
            """
            # Settings of Carrel. Everything here is a comment: remove "# " from what you want to change.
            # carrel config check       says what is wrong with this file
            # carrel config show        says what is in effect, and where it was set
            # A carrel.yaml in a repository may only narrow what a file of your own allows.
            """;

    /** For keys whose default would show nothing. */
    private static final Map<String, String> EXAMPLES =
            Map.ofEntries(
                    Map.entry("sandbox.hostname", "carrel"),
                    Map.entry("sandbox.inherit_env_vars", "[CI]"),
                    Map.entry("sandbox.extra_read_only", "[~/tools]"),
                    Map.entry("sandbox.mask", "[.env, secrets]"),
                    Map.entry("snapshots.include", "[node_modules]"),
                    Map.entry("host_readonly.mask", "[~/mail]"),
                    Map.entry("host_readonly.unmask", "[~/.config/gcloud]"),
                    Map.entry("repos", "[{name: app, path: ~/src/app}]"),
                    Map.entry("egress.allow", "[packages.example.org]"),
                    Map.entry("egress.deny", "[169.254.0.0/16]"),
                    Map.entry("egress.hosts", "{registry.example.org: 192.0.2.10}"),
                    Map.entry("egress.upstream", "http://proxy.example.org:3128"),
                    Map.entry("egress.host_ports", "[5432]"),
                    Map.entry("egress.extra_ca", "[/etc/ssl/certs/company.pem]"),
                    Map.entry("limits.memory", "4G"),
                    Map.entry("limits.pids", "2000"),
                    Map.entry("limits.cpus", "2"),
                    Map.entry("limits.wall_clock", "30m"),
                    Map.entry("limits.output", "100M"),
                    Map.entry("limits.disk", "10G"),
                    Map.entry("limits.require", "cgroup"),
                    Map.entry("external_agent.backends.*.model", "name-of-a-model"),
                    Map.entry("external_agent.backends.*.program", "/opt/bin/agent"),
                    Map.entry(
                            "external_agent.backends.*.allowed_egress", "[+packages.example.org]"),
                    Map.entry("external_agent.backends.*.base_url", "https://api.example.org"),
                    Map.entry("external_agent.backends.*.env", "{NAME: value}"),
                    Map.entry("external_agent.backends.*.extra_args", "[--verbose]"),
                    Map.entry("external_agent.backends.*.max_turns", "50"),
                    Map.entry("external_agent.backends.*.key_file", "~/.config/agent/key"),
                    Map.entry("external_agent.backends.*.key_command", "pass show agent/key"),
                    Map.entry("external_agent.backends.*.adapter", "~/.config/carrel/agent.yaml"));

    static final String NO_EFFECT = " (no effect yet)";

    private final StringBuilder text = new StringBuilder(HEAD);

    private Starter() {}

    /** The text of the file. */
    public static String text() {
        Starter starter = new Starter();
        Schema schema = new Schema();
        starter.members("", schema.at(List.of()).orElseThrow(), 0);
        return starter.text.toString();
    }

    private void members(String path, JsonObject group, int depth) {
        JsonObject members =
                group.optObject("properties")
                        .orElseGet(() ->
                                JsonObject.builder()
                                        .put("codex", group.object("additionalProperties"))
                                        .build());
        for (String name : members.members().keySet()) {
            JsonObject member = members.object(name);
            boolean isExample = !group.has("properties");
            member(Schema.join(path, isExample ? "*" : name), name, member, depth);
        }
    }

    private void member(String path, String name, JsonObject schema, int depth) {
        SchemaKey key = new SchemaKey(path, schema);
        if (key.instead().isPresent()) {
            return;
        }
        if (depth == 0) {
            text.append('\n');
        }
        String yet = ToCome.isToCome(path) ? NO_EFFECT : "";
        schema.optString("description").ifPresent(words -> line(depth, "# " + words + yet));
        if (Schema.isGroup(schema)) {
            line(depth, name + ":");
            members(path, schema, depth + 1);
        } else {
            line(depth, name + ": " + example(key));
        }
    }

    private static String example(SchemaKey key) {
        String example = EXAMPLES.get(key.path());
        return example != null
                ? example
                : key.defaultValue()
                        .filter(value -> value != JsonNull.INSTANCE)
                        .map(Starter::written)
                        .orElseThrow(
                                () -> new IllegalStateException("no example of " + key.path()));
    }

    private static String written(JsonValue value) {
        return SchemaKey.shown(value);
    }

    private void line(int depth, String words) {
        text.append("# ").append("  ".repeat(depth)).append(words).append('\n');
    }
}
