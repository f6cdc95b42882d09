package dev.carrel.core.adapter;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.policy.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * All adapters that there are: those of Carrel, those that are provided as services, and those that
 * files describe. Immutable.
 */
public final class Adapters {

    private final Map<String, AgentAdapter> byName;

    private Adapters(Map<String, AgentAdapter> byName) {
        this.byName = byName;
    }

    /** Those of Carrel itself. */
    public static List<AgentAdapter> builtIn() {
        return List.of(new ClaudeCode(), new Codex(), new GeminiCli(), new Opencode());
    }

    /**
     * Those of Carrel, and all providers of {@link AgentAdapter} that the calling thread's class
     * loader sees.
     *
     * @throws InvalidInputException where one cannot be loaded, or two have one name
     */
    public static Adapters load() {
        return load(List.of());
    }

    /**
     * The same, and those that these files describe, see {@code docs/agents/write-an-adapter.md}.
     *
     * @throws InvalidInputException where one cannot be loaded, or two have one name
     */
    public static Adapters load(List<Path> descriptions) {
        List<AgentAdapter> all = new ArrayList<>(builtIn());
        try {
            ServiceLoader.load(AgentAdapter.class).forEach(all::add);
        } catch (ServiceConfigurationError broken) {
            throw new InvalidInputException(
                    "an adapter for an agent cannot be loaded: " + broken.getMessage(),
                    "repair or remove the library that provides it");
        }
        descriptions.forEach(file -> all.add(DescribedAdapter.read(file)));
        return of(all);
    }

    /**
     * These.
     *
     * @throws InvalidInputException where two have one name
     */
    public static Adapters of(List<AgentAdapter> adapters) {
        Map<String, AgentAdapter> byName = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (AgentAdapter adapter : adapters) {
            AgentAdapter other = byName.putIfAbsent(adapter.name(), adapter);
            if (other != null) {
                problems.add(
                        "two agents have the name "
                                + adapter.name()
                                + ": "
                                + other.origin()
                                + " and "
                                + adapter.origin());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, "give one of them another name");
        }
        return new Adapters(byName);
    }

    /** In the order in which they were found. */
    public List<AgentAdapter> all() {
        return List.copyOf(byName.values());
    }

    /**
     * The one of this name.
     *
     * @throws NotFoundException with the nearest name
     */
    public AgentAdapter find(String name) {
        AgentAdapter adapter = byName.get(name);
        if (adapter == null) {
            throw new NotFoundException(
                    "there is no agent '" + name + "'" + guess(name),
                    "known are " + String.join(", ", byName.keySet()));
        }
        return adapter;
    }

    private String guess(String name) {
        return Nearest.within(name.replace('-', '_'), byName.keySet())
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
    }
}
