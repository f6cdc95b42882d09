package dev.carrel.core.session;

import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EnvironmentMode;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonObject;
import java.nio.file.Path;
import java.util.List;

/** A policy in {@code session.json}. */
final class PolicyFormat {

    private static final String HOST = "host";
    private static final String HOST_READONLY = "hostReadonly";

    private PolicyFormat() {}

    static JsonObject write(SandboxPolicy policy) {
        JsonObject.Builder json = JsonObject.builder();
        if (!policy.network().egress().equals(EgressPolicy.NONE)) {
            json.put("egress", EgressFormat.write(policy.network().egress()));
        }
        switch (policy.view()) {
            case ViewMode.Overlay() -> {}
            case ViewMode.HostReadonly host -> json.put(HOST_READONLY, write(host));
        }
        if (!policy.limits().equals(ResourceLimits.DEFAULT)) {
            json.put("limits", LimitsFormat.write(policy.limits()));
        }
        return json.put("network", network(policy.network()))
                .put("unshareUts", policy.unshareUts())
                .put("unshareCgroup", policy.unshareCgroup())
                .put("hostname", policy.hostname())
                .put("newSession", policy.newSession())
                .put("seccomp", policy.seccomp().name())
                .put("environmentMode", policy.environmentMode().name())
                .putStrings("inheritedVariables", policy.inheritedVariables())
                .put("persistentHome", policy.persistentHome())
                .put("sessionTmp", policy.sessionTmp())
                .putStrings(
                        "extraReadOnly",
                        policy.extraReadOnly().stream().map(Path::toString).toList())
                .putStrings("mask", policy.mask())
                .build();
    }

    private static String network(NetworkAccess network) {
        return switch (network) {
            case NetworkAccess.Own _ -> "own";
            case NetworkAccess.Host() -> HOST;
        };
    }

    private static JsonObject write(ViewMode.HostReadonly host) {
        return JsonObject.builder()
                .put("scratchOverlay", host.scratchOverlay())
                .put("exposeHostTmp", host.exposeHostTmp())
                .put("unsharePid", host.unsharePid())
                .putStrings("mask", host.mask())
                .putStrings("unmask", host.unmask())
                .build();
    }

    private static ViewMode hostReadonly(JsonObject json) {
        return new ViewMode.HostReadonly(
                json.bool("scratchOverlay"),
                json.bool("exposeHostTmp"),
                json.bool("unsharePid"),
                json.strings("mask"),
                json.strings("unmask"));
    }

    static SandboxPolicy read(JsonObject json) {
        return new SandboxPolicy(
                json.string("network").equals(HOST)
                        ? new NetworkAccess.Host()
                        : json.optObject("egress")
                                .map(EgressFormat::read)
                                .map(NetworkAccess.Own::new)
                                .orElse(NetworkAccess.Own.NOTHING),
                json.bool("unshareUts"),
                json.bool("unshareCgroup"),
                json.optString("hostname"),
                json.bool("newSession"),
                SeccompMode.valueOf(json.string("seccomp")),
                EnvironmentMode.valueOf(json.string("environmentMode")),
                json.strings("inheritedVariables"),
                json.bool("persistentHome"),
                json.bool("sessionTmp"),
                json.strings("extraReadOnly").stream().map(Path::of).toList(),
                json.optArray("mask").map(JsonArray::strings).orElse(List.of()),
                json.optObject(HOST_READONLY)
                        .map(PolicyFormat::hostReadonly)
                        .orElseGet(ViewMode.Overlay::new),
                json.optObject("limits").map(LimitsFormat::read).orElse(ResourceLimits.DEFAULT));
    }
}
