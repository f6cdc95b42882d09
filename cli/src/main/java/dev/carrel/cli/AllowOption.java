package dev.carrel.cli;

import dev.carrel.core.policy.Setting;
import dev.carrel.core.policy.SettingKey;
import java.util.List;
import picocli.CommandLine.Option;

/** Which hosts can be reached, besides those of the settings. */
final class AllowOption {

    @Option(
            names = "--allow",
            paramLabel = "HOST",
            description =
                    "A host that can be reached: api.example.org (ports 80 and 443),"
                            + " example.org:8443, *.example.org, tcp://db.example.org:5432; may be"
                            + " given more than once. A new session keeps it; in one that exists it"
                            + " is for this command alone.")
    List<String> hosts = List.of();

    /** As settings of a new session, on top of its others. */
    List<Setting> settings() {
        return hosts.isEmpty()
                ? List.of()
                : List.of(new Setting(SettingKey.EGRESS_ALLOW.key(), hosts, "--allow"));
    }
}
