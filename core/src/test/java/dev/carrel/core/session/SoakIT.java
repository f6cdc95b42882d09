package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.session.CommandRequest.Streams;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.SeenProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many sessions, eight at a time: used, limited, killed and removed. {@code make soak} makes 200 of
 * them; the property {@code carrel.soak} says how many.
 */
class SoakIT {

    private static final int SESSIONS = Integer.getInteger("carrel.soak", 8);
    private static final int AT_ONCE = 8;
    private static final long MIB = 1L << 20;

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private SessionFixture fixture;
    private Path app;

    @BeforeEach
    void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        app = fixture.git("app");
    }

    @AfterEach
    void end() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    @Test
    void sessionsThatAreGoneLeaveNothing() throws Exception {
        one(0);
        List<String> before = files();
        try (ExecutorService users = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                int number = i;
                all.add(
                        users.submit(() -> {
                            one(number);
                            return null;
                        }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(fixture.sessions.list()).isEmpty();
        assertThat(files()).isEqualTo(before);
        assertThat(SeenProcesses.with(state())).as("processes").isEmpty();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(state());
        assertThat(Files.readString(Path.of("/proc/net/unix"))).doesNotContain(state());
        assertThat(groups()).as("groups").isEmpty();
    }

    private void one(int number) throws Exception {
        Session session = fixture.sessions.create(request(number % 4 == 1));
        seen.add("carrel-" + session.id().value() + "-");
        switch (number % 4) {
            case 0 -> assertThat(run(session, "echo x >new; git status --short").exit()).isZero();
            case 1 ->
                    assertThat(run(session, "echo $HTTP_PROXY").outputText()).contains("127.0.0.1");
            case 2 ->
                    assertThat(
                                    run(
                                                    session,
                                                    "head -c 400m /dev/zero | tail",
                                                    ResourceLimits.NONE.withMemory(64 * MIB))
                                            .exit())
                            .isNotZero();
            default -> killed(session);
        }
        fixture.sessions.remove(session.id().value(), Sessions.Running.END);
    }

    /** The process that holds the session is killed while a command runs. */
    private void killed(Session session) throws Exception {
        SessionCommand command =
                session.start(
                        CommandRequest.of("sh", "-c", "echo up; sleep 300")
                                .with(new Streams.Piped()));
        assertThat(command.output().read()).isEqualTo('u');
        List<Long> pauses =
                SeenProcesses.with(session.id().value()).stream()
                        .filter(pid -> SeenProcesses.arguments(pid).contains("/pause\0"))
                        .toList();
        assertThat(pauses).isNotEmpty();
        pauses.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        command.cancel();
        command.await();
    }

    private CommandResult run(Session session, String script) throws Exception {
        return run(session, script, ResourceLimits.NONE);
    }

    private static CommandResult run(Session session, String script, ResourceLimits limits)
            throws Exception {
        return session.run(
                CommandRequest.of("sh", "-c", script)
                        .with(new Streams.Captured())
                        .with(limits.within(Duration.ofMinutes(2))));
    }

    private SessionRequest request(boolean network) {
        SessionRequest usual = SessionRequest.of(app);
        EgressPolicy allowed =
                new EgressPolicy(
                        new EgressRules(List.of(EgressRule.allow("192.0.2.1:80")), List.of()),
                        Map.of(),
                        Optional.empty(),
                        List.of(),
                        List.of());
        return new SessionRequest(
                usual.repos(),
                usual.name(),
                network
                        ? SandboxPolicy.DEFAULT.with(new NetworkAccess.Own(allowed))
                        : SandboxPolicy.DEFAULT,
                usual.uncommitted(),
                usual.include(),
                usual.mounts());
    }

    private String state() {
        return fixture.base.getFileName().toString();
    }

    /** Everything that is kept, without what only tells when something was used. */
    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(fixture.state)) {
            return all.map(path -> fixture.state.relativize(path).toString())
                    .filter(path -> !path.endsWith(".lock") && !path.endsWith("last-used"))
                    .sorted()
                    .toList();
        }
    }

    private List<String> groups() throws Exception {
        return fixture.shell("find /sys/fs/cgroup -name 'carrel-*' -type d 2>/dev/null || true")
                .lines()
                .filter(group -> seen.stream().anyMatch(group::contains))
                .toList();
    }
}
