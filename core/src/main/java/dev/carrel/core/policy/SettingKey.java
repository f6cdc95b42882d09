package dev.carrel.core.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The settings of a session: documented name and what is allowed. */
public enum SettingKey {
    MODE("mode", Kind.CHOICE, "overlay", "host_readonly"),
    UNSHARE_NET("sandbox.unshare_net", Kind.FLAG),
    UNSHARE_UTS("sandbox.unshare_uts", Kind.FLAG),
    UNSHARE_CGROUP("sandbox.unshare_cgroup", Kind.FLAG),
    HOSTNAME("sandbox.hostname", Kind.TEXT),
    NEW_SESSION("sandbox.new_session", Kind.FLAG),
    SECCOMP("sandbox.seccomp", Kind.CHOICE, "default", "log", "enforce", "off"),
    ENV_MODE("sandbox.env_mode", Kind.CHOICE, "minimal", "inherit_all"),
    INHERIT_ENV_VARS("sandbox.inherit_env_vars", Kind.LIST),
    /** The deprecated name of {@link #INHERIT_ENV_VARS}. */
    ALLOWED_ENV_VARS("sandbox.allowed_env_vars", Kind.LIST),
    /** Legacy: false means {@code inherit_all} where {@link #ENV_MODE} is not set. */
    CLEARENV("sandbox.clearenv", Kind.FLAG),
    EXTRA_READ_ONLY("sandbox.extra_read_only", Kind.LIST),
    MASK("sandbox.mask", Kind.LIST),
    PERSISTENT_HOME("persistent_home", Kind.FLAG),
    SESSION_TMP("session_tmp", Kind.FLAG),
    SNAPSHOTS_INCLUDE("snapshots.include", Kind.LIST),
    SNAPSHOTS_UNCOMMITTED("snapshots.uncommitted", Kind.CHOICE, "include", "exclude"),
    SCRATCH_OVERLAY("host_readonly.scratch_overlay", Kind.FLAG),
    EXPOSE_HOST_TMP("host_readonly.expose_host_tmp", Kind.FLAG),
    UNSHARE_PID("host_readonly.unshare_pid", Kind.FLAG),
    HOST_NETWORK("host_readonly.network", Kind.CHOICE, "share", "isolate", "ask"),
    HOST_MASK("host_readonly.mask", Kind.LIST),
    HOST_UNMASK("host_readonly.unmask", Kind.LIST),
    EGRESS_ALLOW("egress.allow", Kind.LIST),
    EGRESS_DENY("egress.deny", Kind.LIST),
    /** Each value is {@code NAME=ADDRESS}. */
    EGRESS_HOSTS("egress.hosts", Kind.LIST),
    EGRESS_UPSTREAM("egress.upstream", Kind.TEXT),
    EGRESS_HOST_PORTS("egress.host_ports", Kind.LIST),
    EGRESS_EXTRA_CA("egress.extra_ca", Kind.LIST),
    LIMITS_MEMORY("limits.memory", Kind.TEXT),
    LIMITS_PIDS("limits.pids", Kind.TEXT),
    LIMITS_CPUS("limits.cpus", Kind.TEXT),
    LIMITS_WALL_CLOCK("limits.wall_clock", Kind.TEXT),
    LIMITS_OUTPUT("limits.output", Kind.TEXT),
    LIMITS_DISK("limits.disk", Kind.TEXT),
    LIMITS_REQUIRE("limits.require", Kind.CHOICE, "cgroup");

    /** Those of {@link ResourceLimits}. */
    static final List<SettingKey> LIMITS =
            List.of(
                    LIMITS_MEMORY,
                    LIMITS_PIDS,
                    LIMITS_CPUS,
                    LIMITS_WALL_CLOCK,
                    LIMITS_OUTPUT,
                    LIMITS_DISK,
                    LIMITS_REQUIRE);

    private enum Kind {
        FLAG,
        CHOICE,
        TEXT,
        LIST
    }

    private final String key;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> choices;

    SettingKey(String key, Kind kind, String... choices) {
        this.key = key;
        this.kind = kind;
        this.choices = kind == Kind.FLAG ? List.of("true", "false") : List.of(choices);
    }

    /** The name as files and options write it. */
    public String key() {
        return key;
    }

    /** The words allowed; empty where the value is free. */
    public List<String> choices() {
        return choices;
    }

    /** The setting that has taken the place of a deprecated one. */
    Optional<SettingKey> newName() {
        if (this == ALLOWED_ENV_VARS) {
            return Optional.of(INHERIT_ENV_VARS);
        }
        return this == CLEARENV ? Optional.of(ENV_MODE) : Optional.empty();
    }

    /** Whether it takes any number of values. */
    public boolean isList() {
        return kind == Kind.LIST;
    }

    /** All names, in the order of the documentation. */
    public static List<String> keys() {
        return Arrays.stream(values()).map(SettingKey::key).toList();
    }

    /** The setting of this name. */
    public static Optional<SettingKey> named(String key) {
        return Arrays.stream(values()).filter(each -> each.key.equals(key)).findFirst();
    }
}
