package dev.carrel.core.limits;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The unified tree. Groups are made in the nearest group above this process that is writable and
 * hands the controllers down: one with processes in it can hand nothing down ("no internal
 * processes", cgroups(7)), so this process's own group rarely does.
 *
 * @param name how people call it
 * @param own the group of this process
 * @param top where the tree is mounted
 * @param files how groups are made
 */
record CgroupV2(String name, Path own, Path top, GroupFiles files) implements Mechanism {

    static final String NAME = "cgroup v2";

    @Override
    public Enforcement enforce(String session, ResourceLimits total, ResourceLimits limits)
            throws Refused {
        List<String> controllers = controllers(limits);
        List<String> reasons = new ArrayList<>();
        for (Path parent = own;
                parent != null && parent.startsWith(top);
                parent = parent.getParent()) {
            try {
                return in(parent, session, total, limits, controllers);
            } catch (Refused e) {
                reasons.add(e.getMessage());
            }
        }
        throw new Refused(
                reasons.isEmpty()
                        ? "the own group is not below " + top
                        : String.join(", ", reasons));
    }

    private static List<String> controllers(ResourceLimits limits) {
        List<String> controllers = new ArrayList<>();
        limits.memory().ifPresent(_ -> controllers.add("memory"));
        limits.pids().ifPresent(_ -> controllers.add("pids"));
        limits.cpus().ifPresent(_ -> controllers.add("cpu"));
        return controllers;
    }

    private Enforcement in(
            Path parent,
            String session,
            ResourceLimits total,
            ResourceLimits limits,
            List<String> controllers)
            throws Refused {
        requireHandedDown(new Group(parent, files), controllers);
        Group group =
                Group.make(
                        files,
                        parent.resolve(session),
                        Group.commandName(),
                        made -> {
                            handDown(made, controllers);
                            set(made, withoutPids(total));
                        });
        boolean done = false;
        try {
            // To move a process takes the right to write here, above both groups.
            if (!Files.isWritable(parent.resolve("cgroup.procs"))) {
                throw new Refused("processes cannot be moved within " + parent);
            }
            set(group, limits);
            done = true;
            return Sampled.of(new Held(name, group), limits);
        } finally {
            if (!done) {
                group.remove();
            }
        }
    }

    private static void requireHandedDown(Group parent, List<String> controllers) throws Refused {
        List<String> given = words(parent.read("cgroup.subtree_control").orElse(""));
        for (String controller : controllers) {
            if (!given.contains(controller)) {
                throw new Refused(
                        parent.directory() + " hands no " + controller + " controller down");
            }
        }
    }

    private static void handDown(Group session, List<String> controllers)
            throws IOException, Refused {
        for (String controller : controllers) {
            session.files()
                    .write(session.directory().resolve("cgroup.subtree_control"), "+" + controller);
        }
        requireHandedDown(session, controllers);
    }

    private static List<String> words(String text) {
        return List.of(text.split("\\s+", -1));
    }

    /** One command must not take the processes of the others. */
    private static ResourceLimits withoutPids(ResourceLimits total) {
        return new ResourceLimits(
                total.memory(),
                ResourceLimits.NONE.pids(),
                total.cpus(),
                total.wallClock(),
                total.output(),
                total.disk(),
                total.requireCgroup());
    }

    private static void set(Group group, ResourceLimits limits) throws Refused {
        if (limits.memory().isPresent()) {
            group.set("memory.max", Amounts.memory(limits));
            if (group.has("memory.swap.max")) {
                group.set("memory.swap.max", "0");
            }
        }
        if (limits.pids().isPresent()) {
            group.set("pids.max", Amounts.pids(limits));
        }
        if (limits.cpus().isPresent()) {
            group.set("cpu.max", Amounts.quota(limits) + " " + Amounts.CPU_PERIOD);
        }
    }

    @Override
    public void sweep() {
        for (Path parent = own;
                parent != null && parent.startsWith(top);
                parent = parent.getParent()) {
            Group.sweep(parent, files);
        }
    }

    /** The group that a command is in. */
    private record Held(String mechanism, Group group) implements KernelEnforcement {

        @Override
        public List<Command.Bounds.Group> toEnter() {
            return List.of(
                    new Command.Bounds.Group(
                            group.directory().resolve("cgroup.procs"), Optional.empty()));
        }

        @Override
        public Usage usage() {
            OptionalLong micros = group.number("cpu.stat", "usage_usec");
            return new Usage(
                    group.number("memory.peak"),
                    micros.isPresent()
                            ? Optional.of(Duration.ofNanos(micros.getAsLong() * 1000))
                            : Optional.empty(),
                    group.number("memory.events", "oom_kill").orElse(0) > 0,
                    group.number("pids.events", "max").orElse(0) > 0);
        }

        @Override
        public void close() {
            group.remove();
        }
    }
}
