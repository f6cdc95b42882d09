package dev.carrel.core.session;

import dev.carrel.core.policy.EnvironmentMode;
import dev.carrel.core.policy.SandboxPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The whole environment of a command, built from nothing. Pure. */
final class CommandEnvironment {

    /** Says inside in which session a command runs. */
    static final String SESSION = "CARREL_SESSION";

    /** What every Java machine reads, before its own options. */
    static final String JAVA_OPTIONS = "JAVA_TOOL_OPTIONS";

    private static final List<String> BASELINE =
            List.of(
                    "LANG",
                    "LANGUAGE",
                    "TERM",
                    "COLORTERM",
                    "TZ",
                    "NO_COLOR",
                    "FORCE_COLOR",
                    "CLICOLOR",
                    "CLICOLOR_FORCE");

    /**
     * They name sockets, files or places that the sandbox does not have, or describe the caller's
     * own process.
     */
    private static final Set<String> POINT_OUTSIDE =
            Set.of(
                    "BASH_ENV",
                    "DBUS_SESSION_BUS_ADDRESS",
                    "DBUS_SYSTEM_BUS_ADDRESS",
                    "DISPLAY",
                    "DOCKER_HOST",
                    "ENV",
                    "GNOME_KEYRING_CONTROL",
                    "GPG_AGENT_INFO",
                    "GPG_TTY",
                    "HOME",
                    "LOGNAME",
                    "MAIL",
                    "OLDPWD",
                    "PATH",
                    "PWD",
                    "SHELL",
                    "SHLVL",
                    "SSH_AGENT_PID",
                    "SSH_AUTH_SOCK",
                    "SSH_CLIENT",
                    "SSH_CONNECTION",
                    "SSH_TTY",
                    "STY",
                    "TEMP",
                    "TMP",
                    "TMPDIR",
                    "TMUX",
                    "TMUX_PANE",
                    "USER",
                    "VSCODE_IPC_HOOK_CLI",
                    "WAYLAND_DISPLAY",
                    "XAUTHORITY",
                    "_");

    private CommandEnvironment() {}

    /**
     * The variables of one command.
     *
     * @param caller the caller's own
     * @param tools what the tool chains of the view need, PATH among them
     * @param network what programs need to find the proxy of the session
     * @param request what was asked for with the command; wins
     */
    static Map<String, String> of(
            SandboxPolicy policy,
            Map<String, String> caller,
            Map<String, String> tools,
            Map<String, String> network,
            String userName,
            SessionId session,
            Map<String, String> request) {
        Map<String, String> all = new TreeMap<>();
        all.put("LANG", "C.UTF-8");
        caller.forEach((name, value) -> {
            if (reaches(policy, name)) {
                put(all, name, value);
            }
        });
        all.put("HOME", policy.view().home().toString());
        all.put("USER", userName);
        all.put("LOGNAME", userName);
        all.put("SHELL", "/bin/sh");
        tools.forEach((name, value) -> put(all, name, value));
        network.forEach((name, value) -> put(all, name, value));
        // Asked for by name: they win over the tool chains', but HOME stays the session's.
        for (String name : policy.inheritedVariables()) {
            if (caller.containsKey(name) && !name.equals("HOME")) {
                put(all, name, caller.getOrDefault(name, ""));
            }
        }
        all.put(SESSION, session.value());
        request.forEach((name, value) -> put(all, name, value));
        return all;
    }

    /**
     * The last wins. Java's options are a list, of which the last wins, too: one who sets another
     * one still has the proxy. Only an empty one replaces all.
     */
    private static void put(Map<String, String> all, String name, String value) {
        String before = name.equals(JAVA_OPTIONS) ? all.getOrDefault(name, "") : "";
        all.put(name, before.isEmpty() || value.isEmpty() ? value : before + " " + value);
    }

    private static boolean reaches(SandboxPolicy policy, String name) {
        return switch (policy.environmentMode()) {
            case EnvironmentMode mode when mode == EnvironmentMode.INHERIT_ALL ->
                    !POINT_OUTSIDE.contains(name)
                            && !name.startsWith("XDG_")
                            && !name.startsWith("CARREL_");
            case EnvironmentMode _ -> BASELINE.contains(name) || name.startsWith("LC_");
        };
    }
}
