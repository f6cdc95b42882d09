package dev.carrel.core.session;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.host.ToolchainView;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The part of the host that a session shows, in {@code session.json}. */
final class ToolsFormat {

    private ToolsFormat() {}

    static JsonObject write(ToolchainView tools) {
        JsonObject.Builder variables = JsonObject.builder();
        tools.variables().forEach(variables::put);
        return JsonObject.builder()
                .putObjects("mounts", tools.mounts().stream().map(ToolsFormat::write).toList())
                .putStrings("path", tools.path().stream().map(Path::toString).toList())
                .put("variables", variables.build())
                .putStrings("notices", tools.notices())
                .build();
    }

    static ToolchainView read(JsonObject json) {
        Map<String, String> variables = new LinkedHashMap<>();
        json.object("variables")
                .members()
                .forEach((name, value) -> {
                    if (value instanceof JsonString text) {
                        variables.put(name, text.value());
                    }
                });
        return new ToolchainView(
                json.objects("mounts").stream().map(ToolsFormat::mount).toList(),
                json.strings("path").stream().map(Path::of).toList(),
                variables,
                json.strings("notices"));
    }

    private static JsonObject write(Mount mount) {
        JsonObject.Builder json = JsonObject.builder().put("at", mount.target().toString());
        return switch (mount) {
            case Mount.ReadOnly(Path source, _) ->
                    json.put("is", "read-only").put("source", source.toString()).build();
            case Mount.EmptyDirectory(_, int mode) ->
                    json.put("is", "directory").put("mode", mode).build();
            case Mount.Link(String text, _) -> json.put("is", "link").put("text", text).build();
            case Mount.Device(Path source, _) ->
                    json.put("is", "device").put("source", source.toString()).build();
            case Mount.Tmpfs(_, long bytes, int mode) ->
                    json.put("is", "tmpfs").put("bytes", bytes).put("mode", mode).build();
            case Mount.Writable _, Mount.Overlay _, Mount.Sealed _ ->
                    throw new IllegalArgumentException("no part of the host's tools: " + mount);
        };
    }

    private static Mount mount(JsonObject json) {
        SandboxPath at = SandboxPath.of(json.string("at"));
        String is = json.string("is");
        return switch (is) {
            case "read-only" -> new Mount.ReadOnly(Path.of(json.string("source")), at);
            case "directory" -> new Mount.EmptyDirectory(at, json.smallInteger("mode"));
            case "link" -> new Mount.Link(json.string("text"), at);
            case "device" -> new Mount.Device(Path.of(json.string("source")), at);
            case "tmpfs" -> new Mount.Tmpfs(at, json.integer("bytes"), json.smallInteger("mode"));
            default ->
                    throw new BrokenStoreException("'" + is + "' is no mount of the host's tools");
        };
    }
}
