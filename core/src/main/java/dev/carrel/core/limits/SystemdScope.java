package dev.carrel.core.limits;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A group from the user's systemd, for logins whose own group belongs to root. {@code systemd-run}
 * starts one small program in a scope that is delegated to the user; it lives as long as this
 * process, and groups for commands are made beside it.
 */
final class SystemdScope implements Mechanism, AutoCloseable {

    static final String NAME = "systemd scope (cgroup v2)";

    /**
     * It goes into a group of its own, since the scope could hand nothing down while a process is
     * in it; says which group the scope is; then waits for the end of its input, which is the end
     * of this process.
     */
    static final String HOLDER =
            """
            group=$(sed -n s/^0:://p /proc/self/cgroup) && mkdir "$1$group/holder" \
            && echo 0 >"$1$group/holder/cgroup.procs" \
            && echo "+memory +pids +cpu" >"$1$group/cgroup.subtree_control" \
            && echo "$group" && exec cat\
            """;

    private final Path systemd;
    private final Optional<String> runtimeDirectory;
    private final List<String> run;
    private final ProcessRunner runner;
    private @Nullable Mechanism found;
    private @Nullable String refused;
    private @Nullable RunningProcess holder;

    SystemdScope(
            Path systemd,
            Optional<String> runtimeDirectory,
            List<String> run,
            ProcessRunner runner) {
        this.systemd = systemd;
        this.runtimeDirectory = runtimeDirectory;
        this.run = List.copyOf(run);
        this.runner = runner;
    }

    static SystemdScope ofThisUser() {
        return new SystemdScope(
                Path.of("/run/systemd/system"),
                Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")),
                List.of(
                        "systemd-run",
                        "--user",
                        "--scope",
                        "--quiet",
                        "--collect",
                        "--property=Delegate=yes",
                        "--"),
                new HostProcessRunner());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public synchronized Enforcement enforce(
            String session, ResourceLimits total, ResourceLimits limits)
            throws Refused, InterruptedException {
        if (refused != null) {
            throw new Refused(refused);
        }
        Mechanism scope = found;
        if (scope == null) {
            try {
                scope = start();
                found = scope;
            } catch (Refused e) {
                refused = e.getMessage();
                close();
                throw e;
            }
        }
        return scope.enforce(session, total, limits);
    }

    private Mechanism start() throws Refused {
        if (!Files.isDirectory(systemd)) {
            throw new Refused("systemd does not run here");
        }
        if (runtimeDirectory.isEmpty()
                || !Files.exists(Path.of(runtimeDirectory.get(), "systemd/private"))) {
            throw new Refused("this user has no systemd of its own (XDG_RUNTIME_DIR)");
        }
        Path top = unified();
        List<String> words = new java.util.ArrayList<>(run);
        words.addAll(List.of("/bin/sh", "-c", HOLDER, "sh", top.toString()));
        RunningProcess started =
                runner.start(
                        Command.of(words)
                                .withEnvironment(
                                        Map.of(
                                                "PATH",
                                                Command.BARE_ENVIRONMENT.getOrDefault("PATH", ""),
                                                "XDG_RUNTIME_DIR",
                                                runtimeDirectory.get()))
                                .withStreams(
                                        new Command.Input.Piped(),
                                        new Command.Output.Piped(),
                                        new Command.Output.Captured()));
        holder = started;
        String group = firstLine(started);
        if (group == null) {
            throw new Refused("systemd-run gave no scope whose controllers can be used");
        }
        Path scope = top.resolve(group.substring(1));
        return new CgroupV2(NAME, scope, scope, GroupFiles.HOST);
    }

    private static Path unified() throws Refused {
        try {
            return CgroupTree.read(Path.of("/proc/self"))
                    .v2Top()
                    .orElseThrow(() -> new Refused("cgroup v2 is not mounted"));
        } catch (IOException e) {
            throw new Refused("/proc does not tell of groups: " + e.getMessage());
        }
    }

    private static @Nullable String firstLine(RunningProcess process) throws Refused {
        try {
            return new BufferedReader(
                            new InputStreamReader(process.output(), StandardCharsets.UTF_8))
                    .readLine();
        } catch (IOException e) {
            throw new Refused("systemd-run was not heard: " + e.getMessage());
        }
    }

    @Override
    public void sweep() {
        // The scope goes with its last process, and its groups with it.
    }

    @Override
    public synchronized void close() {
        RunningProcess process = holder;
        if (process != null) {
            process.kill();
            holder = null;
            found = null;
        }
    }
}
