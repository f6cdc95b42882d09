package dev.carrel.cli;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.policy.SettingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What a command may use of the machine, besides what the settings say. */
final class LimitOptions {

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "The most memory of the command and all it starts, such as 2G. A new session"
                            + " keeps the limits that it is made with; in one that exists they are"
                            + " for this command alone.")
    Optional<String> memory = Optional.empty();

    @Option(
            names = "--pids",
            paramLabel = "N",
            description = "The most processes and threads at once; 4096 without it.")
    Optional<String> pids = Optional.empty();

    @Option(
            names = "--cpus",
            paramLabel = "N",
            description = "How many processors it may keep busy; 0.5 is half of one.")
    Optional<String> cpus = Optional.empty();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description =
                    "How long it may run, such as 90s or 5m; it is asked to end then, and killed"
                            + " two seconds later. Its exit code is 124.")
    Optional<String> timeout = Optional.empty();

    /** As settings of a new session, in place of those of files. */
    List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        add(settings, "--memory", SettingKey.LIMITS_MEMORY, memory.map(LimitOptions::capital));
        add(settings, "--pids", SettingKey.LIMITS_PIDS, pids);
        add(settings, "--cpus", SettingKey.LIMITS_CPUS, cpus);
        add(settings, "--timeout", SettingKey.LIMITS_WALL_CLOCK, timeout);
        return settings;
    }

    /** Here, where nothing is measured in minutes, 2g can only be a size. */
    private static String capital(String size) {
        return size.matches("[0-9.]+[kmgt]") ? size.toUpperCase(Locale.ROOT) : size;
    }

    private static void add(
            List<Setting> settings, String option, SettingKey key, Optional<String> value) {
        value.ifPresent(text -> settings.add(new Setting(key.key(), List.of(text), option)));
    }

    /** For one command of a session that exists. */
    ResourceLimits limits() {
        return ResourceLimits.of(settings());
    }
}
