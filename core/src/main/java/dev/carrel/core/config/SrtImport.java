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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

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
                    Map.entry("enabled", "there is no mode without walls"),
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
                    Map.entry("bwrapPath", "use the variable CARREL_BWRAP"),
                    Map.entry("socatPath", "no socat is needed"),
                    Map.entry(
                            "seccomp", "the filter is made by Carrel itself; see sandbox.seccomp"),
                    Map.entry("ripgrep", "no search is needed: hidden paths are named"),
                    Map.entry(
                            "javaAgentJarPath", "JVMs are told of the proxy by their properties"));

    /** Switches that Carrel has off, too. */
    private static final Set<String> OFF =
            Set.of(
                    "network.allowAllUnixSockets",
                    "network.allowMachLookup",
                    "filesystem.allowGitConfig",
                    "filesystem.disabled",
                    "enableWeakerNestedSandbox",
                    "allowNestedUserNamespaces",
                    "enableWeakerNetworkIsolation",
                    "allowAppleEvents");

    private static final Pattern PATTERN = Pattern.compile("[*?\\[]");

    private final Path file;
    private final ImportWriter writer = new ImportWriter();
    private final ImportedHosts hosts = new ImportedHosts(writer);

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
        hosts.finish();
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
            case "network.allowedDomains" ->
                    texts(key, value).forEach(host -> hosts.allow(key, host));
            case "network.deniedDomains", "network.deniedResolvedAddresses" ->
                    texts(key, value).forEach(host -> hosts.deny(key, host));
            case "network.parentProxy" -> parentProxy(key, value);
            case "network.allowAllUnixSockets" ->
                    note(key, value, "sockets of the host are never reached");
            case "filesystem.denyRead" -> paths(key, value).forEach(this::deniedRead);
            case "filesystem.allowRead" -> paths(key, value).forEach(path -> readable(key, path));
            case "filesystem.allowWrite" ->
                    paths(key, value)
                            .forEach(path ->
                                    writer.note(
                                            key + " " + path.text(),
                                            "writes stay in the session until they are applied; the host is never written"));
            case "filesystem.denyWrite" ->
                    paths(key, value)
                            .forEach(path ->
                                    writer.note(
                                            key + " " + path.text(),
                                            "the host is never written, and what is applied is chosen then"));
            case "filesystem.disabled" ->
                    note(key, value, "the walls around files cannot be taken down");
            default -> leave(key, value);
        }
    }

    private void parentProxy(String key, JsonValue value) {
        if (!(value instanceof JsonObject proxy)) {
            note(key, value, "it is not an object");
            return;
        }
        Optional<String> encrypted = proxy.optString("https");
        Optional<String> plain = proxy.optString("http");
        encrypted.or(() -> plain).ifPresent(address -> writer.upstream(key, address));
        if (encrypted.isPresent() && plain.filter(p -> !encrypted.get().equals(p)).isPresent()) {
            writer.note(key + ".http", "one proxy serves everything: the one of https");
        }
        if (proxy.has("noProxy")) {
            writer.note(key + ".noProxy", "everything goes through the proxy");
        }
    }

    /**
     * A path.
     *
     * @param literal whether it is a path whatever characters it has
     */
    private record Place(String text, boolean literal) {

        boolean isPattern() {
            return !literal && PATTERN.matcher(text).find();
        }

        boolean isOfHost() {
            return text.startsWith("/") || text.equals("~") || text.startsWith("~/");
        }
    }

    private void deniedRead(Place path) {
        String key = "filesystem.denyRead " + path.text();
        if (path.isOfHost()) {
            writer.note(
                    key,
                    "the host is not shown to begin with; a place in a repository goes into"
                            + " sandbox.mask, relative to its root");
        } else if (path.isPattern()) {
            writer.note(key, "sandbox.mask takes no patterns; name the paths");
        } else {
            writer.mask(key, path.text());
        }
    }

    private void readable(String key, Place path) {
        String what = key + " " + path.text();
        if (!path.isOfHost()) {
            writer.note(what, "the repository is shown as a whole but for sandbox.mask");
        } else if (path.isPattern()) {
            writer.note(what, "sandbox.extra_read_only takes no patterns");
        } else {
            writer.add("sandbox.extra_read_only", path.text());
        }
    }

    private List<Place> paths(String key, JsonValue value) {
        List<Place> places = new ArrayList<>();
        for (JsonValue each : elements(key, value)) {
            if (each instanceof JsonString(String text)) {
                places.add(new Place(text, false));
            } else if (each instanceof JsonObject marked && marked.has("path")) {
                places.add(new Place(marked.optString("path").orElse(""), true));
            } else {
                writer.note(key + " " + ImportWriter.described(each), "it is no path");
            }
        }
        return places;
    }

    private List<String> texts(String key, JsonValue value) {
        List<String> texts = new ArrayList<>();
        for (JsonValue each : elements(key, value)) {
            if (each instanceof JsonString(String text)) {
                texts.add(text);
            } else {
                writer.note(key + " " + ImportWriter.described(each), "it is no text");
            }
        }
        return texts;
    }

    private List<JsonValue> elements(String key, JsonValue value) {
        if (value instanceof JsonArray array) {
            return array.values();
        }
        note(key, value, "it is not a list");
        return List.of();
    }

    /** What is as it always is here is no loss. */
    private void note(String key, JsonValue value, String why) {
        boolean off = value.equals(new JsonBoolean(false)) && OFF.contains(key);
        boolean on = value.equals(new JsonBoolean(true)) && key.equals("enabled");
        if (!off && !on && value != JsonNull.INSTANCE) {
            writer.note(key + ": " + ImportWriter.described(value), why);
        }
    }

    private void leave(String key, JsonValue value) {
        note(key, value, WHY.getOrDefault(key, "there is nothing like it"));
    }
}
