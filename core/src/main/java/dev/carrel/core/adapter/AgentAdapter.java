package dev.carrel.core.adapter;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One command line of a coding agent. Whoever implements it for another one names the class as a
 * provider of this service ({@link java.util.ServiceLoader}); for the simple case a description in
 * YAML does, see the package. Safe for many threads; the parsers that it makes are each for one
 * thread.
 */
public interface AgentAdapter {

    /** The backend's name in settings and on the command line, such as {@code claude_code}. */
    String name();

    /** Where this adapter comes from, for people: its class, or the file that describes it. */
    default String origin() {
        return getClass().getName();
    }

    /** The program, as it is looked up on the caller's PATH. */
    String program();

    /**
     * The file to execute where {@link #program} led to this one, links resolved. Some are wrappers
     * that need an interpreter which a sandbox may not have.
     */
    default Path executable(Path found) {
        return found;
    }

    /** The command that installs it, for people. */
    String installation();

    /** The arguments that make it print its version. */
    default List<String> versionArguments() {
        return List.of("--version");
    }

    /** The versions that this description was tried with, the newest last. */
    List<String> testedVersions();

    /** The least memory with which it does its work, in bytes. */
    long leastMemory();

    /** Whether it refuses to work as uid 0. */
    default boolean refusesRoot() {
        return false;
    }

    /**
     * Places of a repository from which it runs code even where {@link
     * Invocation#repositoryConfiguration} is off, relative to the repository. Where one of them
     * exists, only a sandbox holds what it may start.
     */
    default List<String> codeInRepository() {
        return List.of();
    }

    /**
     * What it asks for answers.
     *
     * @param model the model that was asked for, where one was
     */
    Service service(Optional<String> model);

    /** How it is called. */
    Launch launch(Invocation invocation);

    /** What reads the output of one run. */
    EventParser parser(Invocation invocation);

    /**
     * The service behind an agent.
     *
     * @param hosts egress rules that its work needs: its {@code default_allowed_egress}
     * @param keyVariables the variables in which it finds a key, any of which is enough; one that
     *     comes from a file or a command goes into the first. Empty: it needs none
     */
    record Service(List<String> hosts, List<String> keyVariables) {
        public Service {
            hosts = List.copyOf(hosts);
            keyVariables = List.copyOf(keyVariables);
        }
    }
}
