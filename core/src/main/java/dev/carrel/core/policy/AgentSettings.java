package dev.carrel.core.policy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What settings say of agents' command lines.
 *
 * @param tier where they run
 * @param retain when the session of a run is kept
 * @param backends by name; one without an entry has {@link Backend#DEFAULT}
 */
public record AgentSettings(Tier tier, Retain retain, Map<String, Backend> backends) {

    /** Where nothing is set. */
    public static final AgentSettings DEFAULT =
            new AgentSettings(Tier.SANDBOX, Retain.CHANGED, Map.of());

    public AgentSettings {
        backends = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(backends));
    }

    /** What holds for one backend. */
    public Backend backend(String name) {
        return backends.getOrDefault(name, Backend.DEFAULT);
    }

    /** Where an agent runs. */
    public enum Tier {
        /** Tier 0: a plain process on the host's checkout, without walls. */
        PROCESS,
        /** Tier 1: a command of a session. */
        SANDBOX;

        /** 0 or 1. */
        public int number() {
            return this == PROCESS ? 0 : 1;
        }
    }

    /** When the session that was made for a run is kept. */
    public enum Retain {
        /** If something changed in it, or its conversation can be resumed. */
        CHANGED,
        /** In any case. */
        ALWAYS,
        /** In no case: what was not applied is lost. */
        NEVER
    }

    /**
     * One backend.
     *
     * @param enabled whether it may be used
     * @param program instead of the usual one
     * @param model instead of the agent's own choice
     * @param allowedEgress hosts instead of the usual ones; those that begin with {@code +} are
     *     added to them
     * @param baseUrl where its service is reached instead
     * @param memory the most memory, in bytes
     * @param timeout the longest time
     * @param environment further variables
     * @param extraArguments further arguments
     * @param maxTurns the most answers of the model
     * @param keyFile a file with its key
     * @param keyCommand a command for sh that prints its key
     * @param repositoryConfiguration whether tier 0 uses configuration that the repository brings
     * @param adapter a description of the command line
     */
    public record Backend(
            boolean enabled,
            Optional<String> program,
            Optional<String> model,
            Optional<List<String>> allowedEgress,
            Optional<String> baseUrl,
            long memory,
            Duration timeout,
            Map<String, String> environment,
            List<String> extraArguments,
            OptionalInt maxTurns,
            Optional<Path> keyFile,
            Optional<String> keyCommand,
            boolean repositoryConfiguration,
            Optional<Path> adapter) {

        private static final long MEMORY = 2L << 30;
        private static final Duration TIMEOUT = Duration.ofMinutes(5);

        /** Where nothing is set: 2 GiB and 5 minutes. */
        public static final Backend DEFAULT =
                new Backend(
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        MEMORY,
                        TIMEOUT,
                        Map.of(),
                        List.of(),
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty());

        public Backend {
            allowedEgress = allowedEgress.map(List::copyOf);
            environment = Map.copyOf(environment);
            extraArguments = List.copyOf(extraArguments);
        }
    }
}
