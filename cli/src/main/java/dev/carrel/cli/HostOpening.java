package dev.carrel.cli;

import dev.carrel.core.config.ConfigRequest;
import dev.carrel.core.config.Configuration;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Opens the real sessions, and remembers with which settings. For one thread. */
final class HostOpening implements Opening {

    private static final String NO_FILE = "/dev/null";

    private final Surroundings surroundings;
    private final Progress progress;
    private Optional<Configuration> last = Optional.empty();

    HostOpening(Surroundings surroundings) {
        this.surroundings = surroundings;
        this.progress = new Progress(surroundings);
    }

    @Override
    public CoreSessions open(Configuration configuration) {
        last = Optional.of(configuration);
        return new HostSessions(sessions(configuration), settings(configuration), progress);
    }

    /** The sessions that were opened last; empty where none were. */
    Optional<CoreSessions> again() {
        return last.map(this::open);
    }

    @Override
    public Optional<Path> repositoryAround(Path directory) {
        try (Sessions sessions = sessions(Configuration.NONE)) {
            return sessions.repositoryAround(directory);
        }
    }

    private Sessions sessions(Configuration configuration) {
        HostProcessRunner.refuseCoreDumps();
        return Sessions.open(settings(configuration), progress);
    }

    private Settings settings(Configuration configuration) {
        return Settings.of(
                surroundings.environment(),
                surroundings.directory(),
                surroundings.home(),
                configuration);
    }

    /** The caller's variables, and with them the settings of the sessions that were opened last. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>(surroundings.environment());
        Configuration configuration = last.orElse(Configuration.NONE);
        environment.put(Settings.WORKSPACES, settings(configuration).workspaceBase().toString());
        environment.put(
                ConfigRequest.CARREL_CONFIG,
                configuration.usersFile().map(Path::toString).orElse(NO_FILE));
        return environment;
    }
}
