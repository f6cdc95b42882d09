package dev.carrel.core.session;

import dev.carrel.core.host.Caller;
import dev.carrel.core.policy.Retention;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a process that uses sessions knows of its surroundings.
 *
 * @param workspaceBase where sessions and snapshots are kept
 * @param carrelHome the installation, which may bring its own bubblewrap
 * @param environment the caller's variables
 * @param currentDirectory what relative paths are relative to
 * @param retention how long what nobody uses is kept
 */
public record Settings(
        Path workspaceBase,
        Optional<Path> carrelHome,
        Map<String, String> environment,
        Path currentDirectory,
        Retention retention) {

    /** Names another folder for sessions and snapshots. */
    public static final String WORKSPACES = "CARREL_WORKSPACES";

    public Settings {
        environment = Map.copyOf(environment);
    }

    /**
     * The documented defaults. Root keeps its sessions under {@code /var/lib}: the unprivileged
     * user that its sandboxes run as has to reach them, and root's home directory is closed to it.
     */
    public static Settings of(
            Map<String, String> environment, Path currentDirectory, Optional<Path> carrelHome) {
        Caller caller = Caller.current();
        String named = environment.get(WORKSPACES);
        Path base;
        if (named != null && !named.isEmpty()) {
            base = currentDirectory.resolve(named).normalize();
        } else if (caller.isRoot()) {
            base = Path.of("/var/lib/carrel/workspaces");
        } else {
            base = caller.home().resolve(".carrel/workspaces");
        }
        return new Settings(base, carrelHome, environment, currentDirectory, Retention.DEFAULT);
    }
}
