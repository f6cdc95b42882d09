package dev.carrel.cli;

import dev.carrel.core.process.StandardStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the program was started with.
 *
 * @param environment the caller's variables, as they were before the launcher
 * @param home the installation
 * @param in what is typed
 * @param terminal which of the standard streams are terminals
 */
record Surroundings(
        Map<String, String> environment,
        Path directory,
        Optional<Path> home,
        InputStream in,
        PrintStream out,
        PrintStream err,
        Predicate<StandardStream> terminal) {

    /** Whether notices and progress are shown at all. */
    boolean talks() {
        return terminal.test(StandardStream.ERROR);
    }

    /** The same, where nothing is written to standard output. */
    Surroundings withOutputToError() {
        return new Surroundings(environment, directory, home, in, err, err, terminal);
    }

    boolean hasDebug() {
        return "1".equals(environment.get("CARREL_DEBUG"));
    }
}
