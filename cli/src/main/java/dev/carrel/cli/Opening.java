package dev.carrel.cli;

import dev.carrel.core.config.Configuration;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the sessions of this machine. */
interface Opening {

    /** With the settings in effect, which say where they are. */
    CoreSessions open(Configuration configuration);

    /** The top of the git work tree around a directory, for which no settings are needed. */
    Optional<Path> repositoryAround(Path directory);
}
