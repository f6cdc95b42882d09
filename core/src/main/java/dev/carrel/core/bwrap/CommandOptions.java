package dev.carrel.core.bwrap;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.ViewMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A command that joins the view of its session. One builder that cannot leave anything out: without
 * another {@code /proc} a command could write to that of the host, without the cover over {@code
 * /run/carrel} it would see the session's token.
 */
public final class CommandOptions {

    /** Descriptor of the option file. */
    public static final int ARGS_DESCRIPTOR = 8;

    /** Descriptor of the file that receives process number and exit status. */
    public static final int STATUS_DESCRIPTOR = 7;

    /** Descriptor of the system call filter. */
    public static final int FILTER_DESCRIPTOR = 9;

    /** The number that a dedicated sandbox user has inside. */
    private static final int DEDICATED_UID_INSIDE = 1000;

    /**
     * Memory file systems of one command, each; half the memory of the host would be the kernel's
     * choice.
     */
    private static final long TMPFS_BYTES = 512L * 1024 * 1024;

    private static final long SHM_BYTES = 256L * 1024 * 1024;

    private static final List<String> OWN_PROCESSES = List.of("--proc", "/proc");

    /**
     * The host's processes can be seen by this, not reached: the command is in a process namespace
     * and a user namespace of its own all the same. Nothing can be written, core_pattern and the
     * like not by root's sandboxes either.
     */
    private static final List<String> ALL_PROCESSES = List.of("--ro-bind", "/proc", "/proc");

    /** Shells do not agree on the letter: bash has u, the others p, which bash cannot set. */
    private static final String LIMITED =
            "{ ulimit -u \"$1\" 2>/dev/null || ulimit -p \"$1\"; } && shift && exec \"$@\"";

    private CommandOptions() {}

    /**
     * The options of one command: {@code environment} is the whole one, {@code directory} where it
     * starts.
     */
    public static Options of(
            SandboxPolicy policy,
            Identity identity,
            Map<String, String> environment,
            SandboxPath directory,
            boolean ownsTerminal,
            boolean filtered) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "--unshare-user",
                                "--uid",
                                Integer.toString(uidInside(policy, identity)),
                                "--gid",
                                Integer.toString(gidInside(policy, identity)),
                                "--disable-userns",
                                "--unshare-pid",
                                "--unshare-ipc"));
        namespaces(policy, words);
        words.addAll(List.of("--cap-drop", "ALL", "--die-with-parent"));
        if (!ownsTerminal) {
            // Whatever the policy says: in the caller's session /dev/tty is the caller's terminal,
            // and a signal to the own process group reaches the caller, namespaces or not.
            words.add("--new-session");
        }
        words.add("--clearenv");
        environment.forEach((name, value) -> words.addAll(List.of("--setenv", name, value)));
        if (filtered) {
            words.addAll(List.of("--seccomp", Integer.toString(FILTER_DESCRIPTOR)));
        }
        view(policy, words);
        words.addAll(List.of("--chdir", directory.toString()));
        words.addAll(
                List.of("--remount-ro", "/dev", "--remount-ro", SandboxPath.CARREL.toString()));
        return new Options(words);
    }

    private static void namespaces(SandboxPolicy policy, List<String> words) {
        // The UTS namespace of a join is copied from the host's, not from the pause's.
        if (policy.unshareUts()) {
            words.addAll(
                    List.of("--unshare-uts", "--hostname", policy.hostname().orElse("carrel")));
        }
        if (policy.unshareCgroup()) {
            words.add("--unshare-cgroup");
        }
    }

    private static void view(SandboxPolicy policy, List<String> words) {
        words.addAll(List.of("--bind", "/", "/"));
        tmpfs(words, 65_536, "0555", SandboxPath.CARREL.toString());
        if (!policy.persistentHome()) {
            tmpfs(words, TMPFS_BYTES, "0700", policy.view().home().toString());
        }
        switch (policy.view()) {
            case ViewMode.Overlay() -> {
                if (!policy.sessionTmp()) {
                    tmpfs(words, TMPFS_BYTES, "01777", "/tmp");
                }
                words.addAll(OWN_PROCESSES);
            }
            case ViewMode.HostReadonly host ->
                    words.addAll(host.unsharePid() ? OWN_PROCESSES : ALL_PROCESSES);
        }
        words.addAll(List.of("--dev", "/dev"));
        tmpfs(words, SHM_BYTES, "01777", "/dev/shm");
    }

    private static void tmpfs(List<String> words, long bytes, String mode, String target) {
        words.addAll(List.of("--size", Long.toString(bytes), "--perms", mode, "--tmpfs", target));
    }

    /**
     * The user number that processes see: the caller's own, or 1000 for a dedicated user. Where the
     * host's user file is seen, 1000 would be somebody else.
     */
    public static int uidInside(SandboxPolicy policy, Identity identity) {
        return isRenumbered(policy, identity) ? DEDICATED_UID_INSIDE : identity.uid();
    }

    /** The group number that processes see. */
    public static int gidInside(SandboxPolicy policy, Identity identity) {
        return isRenumbered(policy, identity) ? DEDICATED_UID_INSIDE : identity.gid();
    }

    private static boolean isRenumbered(SandboxPolicy policy, Identity identity) {
        return switch (policy.view()) {
            case ViewMode.Overlay() -> identity.switched();
            case ViewMode.HostReadonly _ -> false;
        };
    }

    /**
     * The words that join, without the stage that opens the descriptors; {@code program} is what
     * bubblewrap executes.
     */
    public static List<String> argv(
            Identity identity, Joining joining, String token, List<String> program) {
        List<String> words = new ArrayList<>(joining.words(identity));
        words.addAll(
                List.of(
                        PauseOptions.bwrapInside(token),
                        "--args",
                        Integer.toString(ARGS_DESCRIPTOR),
                        "--json-status-fd",
                        Integer.toString(STATUS_DESCRIPTOR),
                        "--"));
        words.addAll(program);
        return words;
    }

    /** The same without a number of processes. */
    public static List<String> throughShell(
            boolean terminal, List<String> ignored, List<String> program) {
        return throughShell(terminal, ignored, OptionalInt.empty(), program);
    }

    /**
     * What starts a program that may be missing. bubblewrap itself cannot tell a program that it
     * could not execute from a sandbox that it could not make; the shell turns "not found" and "not
     * executable" into 127 and 126 as every shell does.
     *
     * @param terminal whether its streams are a terminal that it takes for its own
     * @param ignored signals, without SIG, that this process ignores and a terminal would send
     * @param pids the most processes and threads of the command's user namespace, if the shell has
     *     to set that: before that namespace is entered it would count others
     */
    public static List<String> throughShell(
            boolean terminal, List<String> ignored, OptionalInt pids, List<String> program) {
        List<String> words = new ArrayList<>();
        if (terminal) {
            if (!ignored.isEmpty()) {
                words.add("/usr/bin/env");
                words.add("--default-signal=" + String.join(",", ignored));
            }
            // The command's own new session takes the terminal that its streams are.
            words.addAll(List.of("/usr/bin/setsid", "-c"));
        }
        if (pids.isPresent()) {
            words.addAll(
                    List.of("/bin/sh", "-c", LIMITED, "sh", Integer.toString(pids.getAsInt())));
        } else {
            words.addAll(List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));
        }
        words.addAll(program);
        return words;
    }
}
