package dev.carrel.core.limits;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.process.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The first form of control groups: a tree for each controller. Root can use it, and whoever was
 * given a group in each tree.
 *
 * @param own the group of this process by controller
 * @param files how groups are made
 */
record CgroupV1(Map<String, Path> own, GroupFiles files) implements Mechanism {

    static final String NAME = "cgroup v1";

    CgroupV1 {
        own = Map.copyOf(own);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Enforcement enforce(String session, ResourceLimits total, ResourceLimits limits)
            throws Refused {
        Map<String, Group> groups = new LinkedHashMap<>();
        String command = Group.commandName();
        boolean done = false;
        try {
            if (limits.memory().isPresent()) {
                memory(
                        make("memory", session, command, groups, group -> memory(group, total)),
                        limits);
            }
            if (limits.pids().isPresent()) {
                make("pids", session, command, groups, _ -> {})
                        .set("pids.max", Amounts.pids(limits));
            }
            if (limits.cpus().isPresent()) {
                cpu(make("cpu", session, command, groups, group -> cpu(group, total)), limits);
            }
            countTime(session, command, groups);
            done = true;
        } finally {
            if (!done) {
                groups.values().forEach(Group::remove);
            }
        }
        return Sampled.of(new Held(NAME, groups), limits);
    }

    private Group make(
            String controller,
            String session,
            String command,
            Map<String, Group> groups,
            Group.Prepared prepared)
            throws Refused {
        Path parent = own.get(controller);
        if (parent == null) {
            throw new Refused("there is no " + controller + " controller");
        }
        Group made = Group.make(files, parent.resolve(session), command, prepared);
        groups.put(controller, made);
        return made;
    }

    private static void memory(Group group, ResourceLimits limits) throws Refused {
        if (limits.memory().isEmpty()) {
            return;
        }
        String bytes = Amounts.memory(limits);
        group.set("memory.limit_in_bytes", bytes);
        if (group.has("memory.memsw.limit_in_bytes")) {
            group.set("memory.memsw.limit_in_bytes", bytes);
        } else {
            group.set("memory.swappiness", "0");
        }
    }

    private static void cpu(Group group, ResourceLimits limits) throws Refused {
        if (limits.cpus().isPresent()) {
            group.set("cpu.cfs_period_us", Long.toString(Amounts.CPU_PERIOD));
            group.set("cpu.cfs_quota_us", Long.toString(Amounts.quota(limits)));
        }
    }

    /** Only for the figures; a machine without this controller holds limits all the same. */
    private void countTime(String session, String command, Map<String, Group> groups) {
        try {
            Group _ = make("cpuacct", session, command, groups, _ -> {});
        } catch (Refused e) {
            // The results have no processor time then.
        }
    }

    @Override
    public void sweep() {
        own.values().stream().distinct().forEach(parent -> Group.sweep(parent, files));
    }

    /** Groups that a command is in. */
    private record Held(String mechanism, Map<String, Group> groups) implements KernelEnforcement {

        @Override
        public List<Command.Bounds.Group> toEnter() {
            // One thread that moves itself: unlike cgroup.procs, it waits for no other process.
            return distinct().stream()
                    .map(group ->
                            new Command.Bounds.Group(
                                    group.directory().resolve("tasks"),
                                    Optional.of(
                                            group.directory().resolve("../../tasks").normalize())))
                    .toList();
        }

        /** Controllers may share a tree. */
        private List<Group> distinct() {
            return new ArrayList<>(new LinkedHashSet<>(groups.values()));
        }

        @Override
        public Usage usage() {
            Optional<Group> memory = Optional.ofNullable(groups.get("memory"));
            return new Usage(
                    KernelEnforcement.number(memory, "memory.max_usage_in_bytes"),
                    KernelEnforcement.nanos(
                            KernelEnforcement.number(
                                    Optional.ofNullable(groups.get("cpuacct")), "cpuacct.usage")),
                    memory.map(group -> group.number("memory.oom_control", "oom_kill").orElse(0))
                                    .orElse(0L)
                            > 0,
                    Optional.ofNullable(groups.get("pids"))
                                    .map(group -> group.number("pids.events", "max").orElse(0))
                                    .orElse(0L)
                            > 0);
        }

        @Override
        public void close() {
            distinct().forEach(Group::remove);
        }
    }
}
