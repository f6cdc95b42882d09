package dev.carrel.core.session;

import dev.carrel.core.config.Configuration;
import dev.carrel.core.host.Caller;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.store.StateLayout;
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

    /** The documented defaults. */
    public static Settings of(
            Map<String, String> environment, Path currentDirectory, Optional<Path> carrelHome) {
        return of(environment, currentDirectory, carrelHome, Configuration.NONE);
    }

    /** The same with what files say; a variable wins over them. */
    public static Settings of(
            Map<String, String> environment,
            Path currentDirectory,
            Optional<Path> carrelHome,
            Configuration configuration) {
        Path base =
                Optional.ofNullable(environment.get(WORKSPACES))
                        .filter(named -> !named.isEmpty())
                        .map(named -> currentDirectory.resolve(named).normalize())
                        .or(configuration::workspaceBase)
                        .orElseGet(Settings::defaultBase);
        return new Settings(
                base, carrelHome, environment, currentDirectory, configuration.retention());
    }

    private static Path defaultBase() {
        Caller caller = Caller.current();
        return StateLayout.defaultBase(caller.home(), caller.uid());
    }
}
