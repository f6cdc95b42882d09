package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the settings of the network mean. Each problem begins with the place where it was written.
 *
 * @param settings all settings of the session
 * @param allowed further rules of {@link SettingKey#EGRESS_ALLOW}
 */
record EgressSettings(Map<SettingKey, Setting> settings, List<Setting> allowed) {

    /** A policy; it means nothing where there are problems. */
    EgressPolicy read(List<String> problems) {
        List<String> found = new ArrayList<>();
        EgressRules rules = rules(found);
        Map<Host.Name, IpAddress> hosts = new LinkedHashMap<>();
        each(SettingKey.EGRESS_HOSTS, word -> EgressPolicy.hosts(List.of(word)), found)
                .forEach(hosts::putAll);
        List<String> upstream =
                each(SettingKey.EGRESS_UPSTREAM, EgressPolicy::checkedUpstream, found);
        List<Integer> ports = each(SettingKey.EGRESS_HOST_PORTS, EgressPolicy::hostPort, found);
        List<Path> extraCa = each(SettingKey.EGRESS_EXTRA_CA, EgressPolicy::certificates, found);
        problems.addAll(found);
        return found.isEmpty()
                ? new EgressPolicy(rules, hosts, upstream.stream().findFirst(), ports, extraCa)
                : EgressPolicy.NONE;
    }

    private EgressRules rules(List<String> problems) {
        List<EgressRule> allow =
                new ArrayList<>(each(SettingKey.EGRESS_ALLOW, EgressRule::allow, problems));
        for (Setting further : allowed) {
            allow.addAll(each(further.values(), further.place(), EgressRule::allow, problems));
        }
        EgressRules rules =
                new EgressRules(allow, each(SettingKey.EGRESS_DENY, EgressRule::deny, problems));
        rules.contradictions()
                .forEach(problem -> problems.add(place(SettingKey.EGRESS_DENY) + ": " + problem));
        return rules;
    }

    private <T> List<T> each(SettingKey key, Function<String, T> read, List<String> problems) {
        List<String> values =
                Optional.ofNullable(settings.get(key)).map(Setting::values).orElse(List.of());
        return each(values, place(key), read, problems);
    }

    private static <T> List<T> each(
            List<String> values, String place, Function<String, T> read, List<String> problems) {
        List<T> all = new ArrayList<>();
        for (String value : values) {
            try {
                all.add(read.apply(value));
            } catch (InvalidInputException wrong) {
                wrong.problems().forEach(problem -> problems.add(place + ": " + problem));
            }
        }
        return all;
    }

    private String place(SettingKey key) {
        Setting setting = settings.get(key);
        return setting == null ? key.key() : setting.place() + " " + key.key();
    }
}
