package dev.carrel.core.agent;

import dev.carrel.core.adapter.Adapters;
import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.AgentSettings.Backend;
import dev.carrel.core.policy.AgentSettings.Retain;
import dev.carrel.core.policy.AgentSettings.Tier;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Agents that do what a test says, on a repository of their own. */
final class AgentFixture implements AutoCloseable {

    static final String KEY = "key-of-the-shell-0123456789";

    final SessionFixture fixture;
    final Path app;
    final List<AgentEvent> events = Collections.synchronizedList(new ArrayList<>());
    private final Agents agents;
    private final ShellAgent adapter;
    private final boolean own;

    private AgentFixture(
            SessionFixture fixture, Path app, ShellAgent adapter, Agents agents, boolean own) {
        this.fixture = fixture;
        this.app = app;
        this.adapter = adapter;
        this.agents = agents;
        this.own = own;
    }

    static AgentFixture open(Tier tier) throws Exception {
        return open(tier, ShellAgent.CLOSED, Optional.empty(), Backend.DEFAULT.timeout());
    }

    /** With other hosts than the adapter's, and another time. */
    static AgentFixture open(
            Tier tier, ShellAgent adapter, Optional<List<String>> allowed, Duration timeout)
            throws Exception {
        return open(tier, adapter, backend(true, allowed, Optional.empty(), timeout));
    }

    static Backend backend(
            boolean enabled,
            Optional<List<String>> allowed,
            Optional<String> baseUrl,
            Duration timeout) {
        return new Backend(
                enabled,
                Optional.empty(),
                Optional.empty(),
                allowed,
                baseUrl,
                64L << 20,
                timeout,
                Map.of("FROM_SETTINGS", "yes"),
                List.of(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty());
    }

    static AgentFixture open(Tier tier, ShellAgent adapter, Backend backend) throws Exception {
        SessionFixture fixture = SessionFixture.create();
        return on(fixture, fixture.git("app"), tier, adapter, backend, true);
    }

    /** Other agents on this one's repository, which its snapshot is there for already. */
    AgentFixture alike(ShellAgent adapter, Optional<List<String>> allowed) {
        Backend backend = backend(true, allowed, Optional.empty(), Backend.DEFAULT.timeout());
        return on(fixture, app, Tier.SANDBOX, adapter, backend, false);
    }

    private static AgentFixture on(
            SessionFixture fixture,
            Path app,
            Tier tier,
            ShellAgent adapter,
            Backend backend,
            boolean own) {
        Agents agents =
                Agents.open(
                        fixture.sessions,
                        Adapters.of(List.of(adapter)),
                        new AgentSettings(tier, Retain.CHANGED, Map.of("shell", backend)),
                        fixture.settings);
        return new AgentFixture(fixture, app, adapter, agents, own);
    }

    /** In sessions, on a machine that has no bubblewrap. */
    static AgentFixture withoutBubblewrap() throws Exception {
        SessionFixture fixture = SessionFixture.create();
        Map<String, String> environment = new HashMap<>(fixture.settings.environment());
        environment.put("CARREL_BWRAP", "/nonexistent");
        Settings settings =
                new Settings(
                        fixture.state,
                        Optional.empty(),
                        environment,
                        fixture.base,
                        fixture.settings.retention());
        Agents agents =
                Agents.open(
                        Sessions.open(settings, _ -> {}),
                        Adapters.of(List.of(ShellAgent.CLOSED)),
                        AgentSettings.DEFAULT,
                        settings);
        return new AgentFixture(fixture, fixture.plain("app"), ShellAgent.CLOSED, agents, true);
    }

    AgentRequest request(String script) {
        return AgentRequest.of("shell", script, app);
    }

    AgentRun start(AgentRequest request) throws InterruptedException {
        return agents.spawn(
                adapter,
                new Credentials(Map.of("SHELL_AGENT_KEY", KEY), "test"),
                request,
                events::add);
    }

    AgentResult run(AgentRequest request) throws InterruptedException {
        return start(request).await();
    }

    AgentResult run(String script) throws InterruptedException {
        return run(request(script));
    }

    /** With the key that the caller has, which is none. */
    AgentResult runWithoutKey(String script) throws InterruptedException {
        return agents.start(request(script), events::add).await();
    }

    @Override
    public void close() {
        agents.close();
        if (!own) {
            return;
        }
        try {
            fixture.remove();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
