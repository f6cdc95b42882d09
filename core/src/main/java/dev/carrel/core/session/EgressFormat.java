package dev.carrel.core.session;

import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.store.JsonObject;
import java.nio.file.Path;
import java.util.List;

/** What a session may reach, in {@code session.json}; the rules also in the file of live ones. */
final class EgressFormat {

    private EgressFormat() {}

    static JsonObject write(EgressPolicy egress) {
        return rules(egress.rules())
                .putStrings(
                        "hosts",
                        egress.hosts().entrySet().stream()
                                .map(host -> host.getKey() + "=" + host.getValue())
                                .toList())
                .put("upstream", egress.upstream())
                .putStrings("hostPorts", egress.hostPorts().stream().map(String::valueOf).toList())
                .putStrings("extraCa", egress.extraCa().stream().map(Path::toString).toList())
                .build();
    }

    static EgressPolicy read(JsonObject json) {
        return new EgressPolicy(
                readRules(json),
                EgressPolicy.hosts(json.strings("hosts")),
                json.optString("upstream"),
                json.strings("hostPorts").stream().map(Integer::valueOf).toList(),
                json.strings("extraCa").stream().map(Path::of).toList());
    }

    static JsonObject writeRules(EgressRules rules) {
        return rules(rules).build();
    }

    private static JsonObject.Builder rules(EgressRules rules) {
        return JsonObject.builder()
                .putStrings("allow", texts(rules.allow()))
                .putStrings("deny", texts(rules.deny()));
    }

    /** Each read by itself: a live rule may contradict another. */
    static EgressRules readRules(JsonObject json) {
        return new EgressRules(
                json.strings("allow").stream().map(EgressRule::allow).toList(),
                json.strings("deny").stream().map(EgressRule::deny).toList());
    }

    private static List<String> texts(List<EgressRule> rules) {
        return rules.stream().map(EgressRule::toString).toList();
    }
}
