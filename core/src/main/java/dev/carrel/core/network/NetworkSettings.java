package dev.carrel.core.network;

import dev.carrel.core.egress.EgressListener;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.runtime.Joined;
import dev.carrel.core.runtime.RuntimeFiles;
import dev.carrel.core.runtime.SessionListener;
import dev.carrel.core.runtime.SessionRuntime;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the network of one session is started with.
 *
 * @param runner starts bridges, and what listens inside
 * @param runtime the session
 * @param files of the session
 * @param identity who its processes are on the host
 * @param policy what was decided when the session was made
 * @param rules the rules that hold now, live ones included
 * @param listener where every event goes
 * @param command the command that adds a rule, for the texts of denials
 * @param caller the caller's variables, which may name a proxy
 */
public record NetworkSettings(
        ProcessRunner runner,
        SessionRuntime runtime,
        RuntimeFiles files,
        Identity identity,
        EgressPolicy policy,
        Supplier<EgressRules> rules,
        EgressListener listener,
        Function<EgressRule, String> command,
        Map<String, String> caller) {

    public NetworkSettings {
        caller = Map.copyOf(caller);
    }

    /** Listens at a port of the session's loopback; empty if it is taken. */
    Optional<ServerSocketChannel> listenInside(Joined joined, int port)
            throws InterruptedException {
        return SessionListener.open(runtime, runner, identity, joined, port);
    }
}
