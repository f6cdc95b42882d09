package dev.carrel.cli;

import dev.carrel.core.config.ConfigRequest;
import dev.carrel.core.config.Configuration;
import dev.carrel.core.config.Configurations;
import dev.carrel.core.config.RepoPlace;
import dev.carrel.core.config.Value;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.host.Caller;
import dev.carrel.core.process.StandardStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where a verb runs, and with which settings. Used once, by one thread. */
final class Context {

    private final Surroundings surroundings;
    private final Opening opening;
    private final Optional<Path> configFile;
    private Optional<Configuration> inEffect = Optional.empty();

    /**
     * @param opening opens the sessions of this machine when a verb first asks for them
     * @param configFile the file of settings that the command line names
     */
    Context(Surroundings surroundings, Opening opening, Optional<String> configFile) {
        this.surroundings = surroundings;
        this.opening = opening;
        this.configFile =
                configFile.map(text -> surroundings.directory().resolve(text).normalize());
    }

    Surroundings surroundings() {
        return surroundings;
    }

    /** The sessions, where the user's file says they are, if nothing else was settled before. */
    CoreSessions sessions() {
        return opening.open(users());
    }

    /** What the user's file says, or what was settled before. */
    Configuration users() {
        if (inEffect.isEmpty()) {
            inEffect = Optional.of(configurations().loadUsers(place(directory())));
        }
        return inEffect.get();
    }

    /**
     * Settles which settings are in effect: those for these directories, their repositories' own
     * files included.
     */
    Configuration settle(List<Path> directories) {
        Configuration settled = configurations().load(places(directories));
        inEffect = Optional.of(settled);
        return settled;
    }

    /** Fails where a file forbids to run anything here. */
    void requireEnabled() {
        requireEnabled(settle(List.of(directory())));
    }

    static void requireEnabled(Configuration configuration) {
        Optional<Value.Origin> disabled = configuration.disabled();
        if (disabled.isPresent()) {
            throw new ConflictException(disabled.get() + ": enabled: false, so nothing is run");
        }
    }

    Configurations configurations() {
        Caller caller = Caller.current();
        Path home =
                Optional.ofNullable(surroundings.environment().get("HOME"))
                        .filter(text -> text.startsWith("/"))
                        .map(Path::of)
                        .orElse(caller.home());
        return new Configurations(
                new ConfigRequest(
                        configFile,
                        surroundings.environment(),
                        directory(),
                        home,
                        caller.uid(),
                        Version::text));
    }

    List<RepoPlace> places(List<Path> directories) {
        return directories.stream().map(this::place).toList();
    }

    private RepoPlace place(Path directory) {
        Path real = real(directory);
        return new RepoPlace(real, repositoryAround(directory).orElse(real));
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException missing) {
            return directory;
        }
    }

    /** The top of the git work tree around a directory. */
    Optional<Path> repositoryAround(Path directory) {
        return opening.repositoryAround(directory);
    }

    /** Whether the command line names the file of settings. */
    Optional<Path> configFile() {
        return configFile;
    }

    /** The same, where nothing is written to standard output. */
    Context withOutputToError() {
        Context other = new Context(surroundings.withOutputToError(), opening, Optional.empty());
        other.inEffect = inEffect;
        return other;
    }

    PrintStream out() {
        return surroundings.out();
    }

    PrintStream err() {
        return surroundings.err();
    }

    Path directory() {
        return surroundings.directory();
    }

    boolean isTerminal(StandardStream stream) {
        return surroundings.terminal().test(stream);
    }

    /** Something that only people at a terminal are told. */
    void tell(List<String> lines) {
        if (surroundings.talks()) {
            lines.forEach(err()::println);
        }
    }
}
