package dev.carrel.core.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.config.ConfigFile.Role;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonBoolean;
import dev.carrel.core.store.JsonNull;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** sandbox-runtime's settings. Every key of the file ends as a setting or as a note. */
final class SrtImport {

    private static final Map<String, String> WHY =
            Map.ofEntries(
                    Map.entry("network.deniedDomainReasons", "denials have no texts of their own"),
                    Map.entry(
                            "network.strictAllowlist", "lists are always strict, nobody is asked"),
                    Map.entry("network.allowUnixSockets", "only for macOS"),
                    Map.entry("network.allowMachLookup", "only for macOS"),
                    Map.entry(
                            "network.allowLocalBinding", "loopback of the session is always there"),
                    Map.entry("network.httpProxyPort", "the proxy is always Carrel's own"),
                    Map.entry("network.socksProxyPort", "the proxy is always Carrel's own"),
                    Map.entry("network.mitmProxy", "encrypted traffic is not opened"),
                    Map.entry("network.tlsTerminate", "encrypted traffic is not opened"),
                    Map.entry("network.filterRequest", "encrypted traffic is not opened"),
                    Map.entry(
                            "filesystem.allowGitConfig",
                            "git inside has a configuration of its own"),
                    Map.entry("credentials", "secrets are not in the session to begin with"),
                    Map.entry(
                            "enableWeakerNestedSandbox",
                            "there is no lesser tier: where no full sandbox can be made nothing is run"),
                    Map.entry(
                            "allowNestedUserNamespaces",
                            "use sandbox.seccomp: off if you accept it"),
                    Map.entry("enableWeakerNetworkIsolation", "only for macOS"),
                    Map.entry("allowAppleEvents", "only for macOS"),
                    Map.entry("allowPty", "commands at a terminal get one of their own"),
                    Map.entry(
                            "mandatoryDenySearchDepth",
                            "the repository is a copy: nothing in it has to be protected"),
                    Map.entry("ignoreViolations", "there is no list of violations"),
                    Map.entry("windows", "only for Windows"),
                    Map.entry("git", "git inside trusts the session's own files"),
                    Map.entry("bwrapPath", "use the variable CARREL_BWRAP"));

    private final Path file;
    private final ImportWriter writer = new ImportWriter();

    SrtImport(Path file) {
        this.file = file;
    }

    Imported convert() {
        String text = new String(new ConfigFile(file, Role.NAMED).read(0), UTF_8);
        if (!(Json.parse(text, file.toString()) instanceof JsonObject root)) {
            throw new InvalidInputException(file + ": it is not an object of settings");
        }
        root.members()
                .forEach((name, value) -> {
                    switch (name) {
                        case "network", "filesystem" -> group(name, value);
                        default -> leave(name, value);
                    }
                });
        return writer.written(file);
    }

    private void group(String group, JsonValue value) {
        if (!(value instanceof JsonObject members)) {
            writer.note(group, "it is not an object");
            return;
        }
        members.members().forEach((name, member) -> member(group + "." + name, member));
    }

    private void member(String key, JsonValue value) {
        switch (key) {
            case "network.allowedDomains" -> domains("egress.allow", key, value);
            case "network.deniedDomains" -> domains("egress.deny", key, value);
            case "network.deniedResolvedAddresses" ->
                    texts(value).forEach(each -> writer.add("egress.deny", each));
            case "network.parentProxy" -> parentProxy(key, value);
            case "network.allowAllUnixSockets" ->
                    note(key, value, "sockets of the host are never reached");
            case "filesystem.denyRead" -> paths(value).forEach(this::deniedRead);
            case "filesystem.allowRead" -> paths(value).forEach(path -> readable(key, path));
            case "filesystem.allowWrite" ->
                    paths(value)
                            .forEach(path ->
                                    writer.note(
                                            key + " " + path,
                                            "writes stay in the session until they are applied; the host is never written"));
            case "filesystem.denyWrite" ->
                    paths(value)
                            .forEach(path ->
                                    writer.note(
                                            key + " " + path,
                                            "the host is never written, and what is applied is chosen then"));
            case "filesystem.disabled" ->
                    note(key, value, "the walls around files cannot be taken down");
            default -> leave(key, value);
        }
    }

    /** Names are written in the same way; only everything at once is not allowed. */
    private void domains(String list, String key, JsonValue value) {
        for (String domain : texts(value)) {
            if (domain.equals("*") || domain.startsWith("*:")) {
                writer.note(key + " " + domain, "everything that is not allowed is denied anyway");
            } else {
                writer.add(list, domain);
            }
        }
    }

    private void parentProxy(String key, JsonValue value) {
        if (value instanceof JsonObject proxy) {
            proxy.optString("https")
                    .or(() -> proxy.optString("http"))
                    .ifPresent(
                            address -> writer.set("egress.upstream", ImportWriter.quoted(address)));
            if (proxy.has("noProxy")) {
                writer.note(key + ".noProxy", "everything goes through the proxy");
            }
        }
    }

    private void deniedRead(String path) {
        boolean inside = !path.startsWith("/") && !path.startsWith("~") && !path.contains("..");
        if (!inside) {
            writer.note("filesystem.denyRead " + path, "the host is not shown to begin with");
        } else if (path.contains("*") || path.contains("?") || path.contains("[")) {
            writer.note(
                    "filesystem.denyRead " + path,
                    "sandbox.mask takes no patterns; name the paths");
        } else {
            writer.add("sandbox.mask", path.replaceFirst("^(\\./)+", "").replaceFirst("/+$", ""));
        }
    }

    private void readable(String key, String path) {
        if (path.startsWith("/") || path.startsWith("~/")) {
            if (path.contains("*")) {
                writer.note(key + " " + path, "sandbox.extra_read_only takes no patterns");
            } else {
                writer.add("sandbox.extra_read_only", path);
            }
        } else {
            writer.note(
                    key + " " + path, "the repository is shown as a whole but for sandbox.mask");
        }
    }

    private static List<String> paths(JsonValue value) {
        return value instanceof JsonArray array
                ? array.values().stream()
                        .map(each ->
                                each instanceof JsonObject literal
                                        ? literal.optString("path").orElse("")
                                        : SchemaKey.shown(each))
                        .filter(path -> !path.isEmpty())
                        .toList()
                : List.of();
    }

    private static List<String> texts(JsonValue value) {
        return value instanceof JsonArray array
                ? array.values().stream()
                        .filter(JsonString.class::isInstance)
                        .map(SchemaKey::shown)
                        .toList()
                : List.of();
    }

    /** A switch that is off asks for nothing. */
    private void note(String key, JsonValue value, String why) {
        if (!value.equals(new JsonBoolean(false)) && value != JsonNull.INSTANCE) {
            writer.note(key + ": " + ImportWriter.described(value), why);
        }
    }

    private void leave(String key, JsonValue value) {
        note(key, value, WHY.getOrDefault(key, "there is nothing like it"));
    }
}
