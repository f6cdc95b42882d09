package dev.carrel.core.agent;

import dev.carrel.core.policy.AgentSettings.Tier;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a backend on this machine.
 *
 * @param enabled whether the settings allow it
 * @param program its program, if the host has it
 * @param installation the command that installs it
 * @param version what the program says of itself
 * @param tested the versions that its adapter was tried with
 * @param key where its key would come from, if there is one
 * @param keyVariables the variables that it takes a key from
 * @param tier where it would run
 * @param hosts what it could reach there; nothing is limited at tier 0
 */
public record AgentStatus(
        String backend,
        boolean enabled,
        Optional<Path> program,
        String installation,
        Optional<String> version,
        List<String> tested,
        Optional<String> key,
        List<String> keyVariables,
        Tier tier,
        List<String> hosts) {

    public AgentStatus {
        tested = List.copyOf(tested);
        keyVariables = List.copyOf(keyVariables);
        hosts = List.copyOf(hosts);
    }
}
