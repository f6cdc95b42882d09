package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.config.ConfigFile.Role;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressPolicy;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * Codex's config.toml: the keys of its sandbox. The old ones ({@code sandbox_mode}…) count where
 * they are there, else the profile of {@code default_permissions}, as Codex has it.
 */
final class CodexImport {

    private static final String ENVIRONMENT = "shell_environment_policy";
    private static final Set<String> OLD =
            Set.of("sandbox_mode", "sandbox_workspace_write", ENVIRONMENT);
    private static final Set<String> ELSEWHERE =
            Set.of("permissions", "default_permissions", "approval_policy");

    private final Path file;
    private final ImportWriter writer = new ImportWriter();
    private final ImportedHosts hosts = new ImportedHosts(writer);

    CodexImport(Path file) {
        this.file = file;
    }

    Imported convert() {
        String text = new String(new ConfigFile(file, Role.NAMED).read(0), UTF_8);
        JsonNode root;
        try {
            root = new TomlMapper().readTree(text);
        } catch (JacksonException wrong) {
            var at = wrong.getLocation();
            throw new InvalidInputException(
                    file
                            + ":"
                            + at.getLineNr()
                            + ":"
                            + at.getColumnNr()
                            + ": this is not TOML: "
                            + wrong.getOriginalMessage());
        }
        boolean old = root.has("sandbox_mode");
        old(root);
        if (!old) {
            profile(root);
        } else {
            List.of("default_permissions", "permissions").stream()
                    .filter(root::has)
                    .forEach(key -> writer.note(key, "it has no effect beside sandbox_mode"));
        }
        if (isTable(ENVIRONMENT, root.path(ENVIRONMENT))) {
            new CodexEnvironment(writer, root.path(ENVIRONMENT)).convert();
        }
        if (root.has("approval_policy")) {
            writer.note(
                    "approval_policy",
                    "nothing is asked: changes stay in the session until they are applied");
        }
        members(root)
                .forEach((name, _) -> {
                    if (!OLD.contains(name) && !ELSEWHERE.contains(name)) {
                        writer.note(name, reason(name));
                    }
                });
        hosts.finish();
        return writer.written(file);
    }

    private static String reason(String name) {
        return switch (name) {
            case "profile", "profiles" ->
                    "profiles are not converted: write the keys of the one you use at the top of a"
                            + " copy";
            case "network_proxy" ->
                    "only the network of the profile of default_permissions is converted";
            case "features" -> "switches of Codex itself";
            default -> "it is not about the sandbox";
        };
    }

    private void old(JsonNode root) {
        JsonNode named = root.path("sandbox_mode");
        String mode = named.isMissingNode() ? "" : named.asString("another shape");
        switch (mode) {
            case "", "workspace-write" -> {}
            case "read-only" ->
                    writer.note(
                            "sandbox_mode: read-only",
                            "a session is always writable; apply nothing, and nothing is written");
            case "danger-full-access" ->
                    writer.note(
                            "sandbox_mode: danger-full-access", "there is no mode without walls");
            default -> writer.note("sandbox_mode: " + mode, "there is no such mode");
        }
        table("sandbox_workspace_write", root.path("sandbox_workspace_write"))
                .forEach((name, value) -> {
                    String key = "sandbox_workspace_write." + name;
                    switch (name) {
                        case "writable_roots" ->
                                elements(key, value)
                                        .forEach(path ->
                                                writer.note(
                                                        key + " " + path.asString(""),
                                                        "the host is never written; show it with sandbox.extra_read_only, or as a repository"));
                        case "network_access" -> {
                            if (value.asBoolean(false)) {
                                writer.note(key, "name the hosts in egress.allow");
                            }
                        }
                        case "exclude_slash_tmp", "exclude_tmpdir_env_var" ->
                                writer.note(key, "/tmp is the session's own");
                        default -> writer.note(key, "there is nothing like it");
                    }
                });
    }

    private void profile(JsonNode root) {
        String name = root.path("default_permissions").asString("");
        JsonNode profiles = root.path("permissions");
        table("permissions", profiles)
                .forEach((other, _) -> {
                    if (!other.equals(name)) {
                        writer.note(
                                "permissions." + other,
                                "only the profile of default_permissions is converted");
                    }
                });
        if (name.startsWith(":") && !name.equals(":workspace")) {
            writer.note(
                    "default_permissions: " + name,
                    "a session is a writable copy behind walls, and nothing else");
        }
        if (!name.isEmpty() && !name.startsWith(":") && !profiles.has(name)) {
            writer.note("default_permissions: " + name, "the file has no such profile");
        }
        JsonNode profile = profiles.path(name);
        String key = "permissions." + name;
        table(key, profile)
                .forEach((part, value) -> {
                    switch (part) {
                        case "filesystem" ->
                                table(key + ".filesystem", value)
                                        .forEach((path, access) ->
                                                place(key + ".filesystem", path, access));
                        case "network" -> network(key + ".network", value);
                        case "description" -> {}
                        default -> writer.note(key + "." + part, "there is nothing like it");
                    }
                });
    }

    private void place(String key, String path, JsonNode access) {
        boolean workspace = path.equals(":workspace_roots") || path.equals(":project_roots");
        if (access.isObject()) {
            members(access)
                    .forEach((below, how) -> {
                        if (workspace) {
                            inRepository(key + "." + path, below, how.asString(""));
                        } else {
                            writer.note(
                                    key + "." + path + "." + below,
                                    "only whole places of the host can be shown");
                        }
                    });
        } else if (path.startsWith("/") || path.startsWith("~/")) {
            host(key + "." + path, path, access.asString(""));
        } else if (!workspace) {
            writer.note(key + "." + path, "what of the host is shown is fixed: its tool chains");
        }
    }

    private void host(String key, String path, String access) {
        switch (access) {
            case "deny" ->
                    writer.note(
                            key,
                            "the host is not shown to begin with; a place in a repository goes into"
                                    + " sandbox.mask, relative to its root");
            case "read" -> writer.add("sandbox.extra_read_only", path);
            default -> {
                writer.add("sandbox.extra_read_only", path);
                writer.note(key, "it is shown read-only: the host is never written");
            }
        }
    }

    private void inRepository(String key, String path, String access) {
        boolean pattern = path.contains("*") || path.contains("?") || path.contains("[");
        if (!access.equals("deny")) {
            writer.note(key + "." + path, "the repository is shown as a whole, and is a copy");
        } else if (pattern) {
            writer.note(key + "." + path, "sandbox.mask takes no patterns; name the paths");
        } else {
            writer.mask(key + "." + path, path);
        }
    }

    private void network(String key, JsonNode network) {
        JsonNode enabled = network.path("enabled");
        if (!enabled.isMissingNode() && !(enabled.isBoolean() && enabled.asBoolean())) {
            writer.note(key, "it is off, so no host is allowed");
            return;
        }
        table(key, network)
                .forEach((name, value) -> {
                    switch (name) {
                        case "domains" ->
                                table(key + ".domains", value)
                                        .forEach(
                                                (host, how) -> domain(key, host, how.asString("")));
                        case "allow_upstream_proxy" -> {
                            if (value.asBoolean(false)) {
                                writer.set("egress.upstream", EgressPolicy.CALLERS_PROXY);
                            }
                        }
                        case "proxy_url", "socks_url", "enable_socks5", "enable_socks5_udp" ->
                                writer.note(
                                        key + "." + name,
                                        "it is about Codex's own proxy; Carrel's needs no setting");
                        case "enabled" -> {}
                        case "unix_sockets", "dangerously_allow_all_unix_sockets" ->
                                writer.note(
                                        key + "." + name, "sockets of the host are never reached");
                        case "mode", "mitm" ->
                                writer.note(key + "." + name, "encrypted traffic is not opened");
                        case "allow_local_binding" ->
                                writer.note(
                                        key + "." + name,
                                        "loopback of the session is always there");
                        default -> writer.note(key + "." + name, "there is nothing like it");
                    }
                });
    }

    private void domain(String key, String host, String how) {
        String what = key + ".domains";
        List<String> names =
                host.startsWith("**.")
                        ? List.of(host.substring(3), host.substring(1))
                        : List.of(host);
        switch (how) {
            case "allow" -> names.forEach(name -> hosts.allow(what, name));
            case "deny" -> names.forEach(name -> hosts.deny(what, name));
            default -> writer.note(what + " " + host, "it is neither allowed nor denied");
        }
    }

    /** Whether it can be gone through; what is there and cannot is noted. */
    private boolean isTable(String key, JsonNode value) {
        if (!value.isObject() && !value.isMissingNode()) {
            writer.note(key, "it is not a table");
        }
        return value.isObject();
    }

    /** The members of a table. */
    private Map<String, JsonNode> table(String key, JsonNode value) {
        return isTable(key, value) ? members(value) : Map.of();
    }

    private List<JsonNode> elements(String key, JsonNode value) {
        if (value.isArray()) {
            return value.valueStream().toList();
        }
        writer.note(key, "it is not a list");
        return List.of();
    }

    private static Map<String, JsonNode> members(JsonNode node) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }
}
