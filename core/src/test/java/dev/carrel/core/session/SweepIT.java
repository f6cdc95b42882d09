package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.StateLayout;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SweepIT {

    private static final Duration MONTH = Duration.ofDays(30);

    private SessionFixture fixture;

    @BeforeEach
    void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
    }

    @AfterEach
    void end() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    private Sessions sessions(Retention retention) {
        Settings other = fixture.settings;
        return Sessions.open(
                new Settings(
                        other.workspaceBase(),
                        other.carrelHome(),
                        other.environment(),
                        other.currentDirectory(),
                        retention),
                _ -> {});
    }

    private static Retention withoutSpaceRule(Duration snapshots) {
        return new Retention(snapshots, MONTH, Duration.ofHours(1), 0);
    }

    private Session session(String name, Duration unused) throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(fixture.git(name)));
        fixture.run(session, "echo x > new");
        age(new StateLayout(fixture.state).session(session.id().value()).lastUsed(), unused);
        return session;
    }

    private static void age(Path file, Duration age) throws Exception {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    }

    private List<Path> snapshots() throws Exception {
        try (Stream<Path> files = Files.walk(fixture.state.resolve("snapshots"), 2)) {
            return files.filter(path -> Files.exists(path.resolve("snapshot.json"))).toList();
        }
    }

    @Test
    void whatNobodyUsedForAMonthGoesAndWhatSomebodyUsesStays() throws Exception {
        Session old = session("old", MONTH.plusMinutes(1));
        Session recent = session("recent", MONTH.minusMinutes(1));
        Session running = session("running", MONTH.plusDays(9));
        SessionCommand command =
                running.start(
                        CommandRequest.of("sleep", "300").with(new CommandRequest.Streams.Piped()));
        age(
                new StateLayout(fixture.state).session(running.id().value()).lastUsed(),
                MONTH.plusDays(9));
        for (Path snapshot : snapshots()) {
            age(snapshot.resolve("snapshot.json"), Duration.ofDays(2));
        }
        assertThat(snapshots()).hasSize(3);

        Sessions sweeping = sessions(withoutSpaceRule(Duration.ofDays(1)));
        SweepReport preview = sweeping.previewSweep();
        assertThat(fixture.sessions.ids()).hasSize(3);
        SweepReport swept = sweeping.sweep();

        assertThat(swept.items().stream().map(SweepReport.Item::kind))
                .containsExactly(SweepReport.Kind.SESSION, SweepReport.Kind.SNAPSHOT);
        assertThat(swept.items())
                .extracting(SweepReport.Item::name)
                .isEqualTo(preview.items().stream().map(SweepReport.Item::name).toList());
        assertThat(swept.items().getFirst().name()).isEqualTo(old.id().value());
        assertThat(swept.bytes()).isEqualTo(preview.bytes()).isPositive();
        assertThat(fixture.sessions.ids())
                .containsExactlyInAnyOrder(recent.id().value(), running.id().value());
        assertThat(snapshots()).hasSize(2);
        assertThat(fixture.run(recent, "cat new")).isEqualTo("x\n");
        command.cancel();
        command.await();
    }

    @Test
    void homesOfPlainAgentsGoOnceNobodyTalkedThereForLong() throws Exception {
        StateLayout layout = new StateLayout(fixture.state);
        layout.create();
        for (String name : List.of("old", "young", "unused")) {
            Path home = layout.createAgent(name);
            Files.writeString(home.resolve("home/notes"), "x");
            if (!name.equals("unused")) {
                Files.writeString(home.resolve("conversations.jsonl"), "");
            }
        }
        age(layout.agents().resolve("old/conversations.jsonl"), MONTH.plusDays(1));
        age(layout.agents().resolve("unused"), MONTH.plusDays(1));

        assertThat(sessions(withoutSpaceRule(MONTH)).sweep().items())
                .extracting(SweepReport.Item::kind, SweepReport.Item::name)
                .containsExactlyInAnyOrder(
                        tuple(SweepReport.Kind.AGENT_HOME, "old"),
                        tuple(SweepReport.Kind.AGENT_HOME, "unused"));
        assertThat(layout.agents()).isDirectoryContaining("glob:**/young");
        assertThat(layout.agents().resolve("old")).doesNotExist();
    }

    @Test
    void withoutSpaceTheOldestUnusedSnapshotsGoBeforeTheirTime() throws Exception {
        for (String name : List.of("one", "two")) {
            Session session = fixture.sessions.create(SessionRequest.of(fixture.git(name)));
            fixture.sessions.remove(session.id().value(), Sessions.Running.END);
        }
        List<Path> left = snapshots();
        assertThat(left).hasSize(2);
        age(left.get(0).resolve("snapshot.json"), Duration.ofMinutes(10));
        age(left.get(1).resolve("snapshot.json"), Duration.ofHours(2));
        Sessions relaxed = sessions(withoutSpaceRule(Duration.ofDays(1)));
        assertThat(relaxed.sweep().items()).isEmpty();

        Retention strict =
                new Retention(Duration.ofDays(1), MONTH, Duration.ofHours(1), Long.MAX_VALUE);
        assertThat(sessions(strict).sweep().items()).hasSize(1);
        // Who makes a session from it just now has no record yet that would protect it.
        assertThat(snapshots()).containsExactly(left.get(0));
    }

    @Test
    void aSweepIsOverdueOnceInEachInterval() throws Exception {
        fixture.sessions.create(SessionRequest.of(fixture.plain("any")));
        Sessions sessions = sessions(withoutSpaceRule(Duration.ofDays(1)));
        assertThat(sessions.claimOverdueSweep()).as("a new folder").isFalse();
        Path last = fixture.state.resolve("last-sweep");
        age(last, Duration.ofMinutes(59));
        assertThat(sessions.claimOverdueSweep()).isFalse();
        age(last, Duration.ofMinutes(61));
        assertThat(sessions.claimOverdueSweep()).isTrue();
        assertThat(sessions.claimOverdueSweep()).isFalse();
        age(last, Duration.ofDays(61));
        Retention never = new Retention(MONTH, MONTH, Duration.ZERO, 0);
        assertThat(sessions(never).claimOverdueSweep()).isFalse();
    }

    @Test
    void twoSweepsDoNotRunAtOnce() throws Exception {
        fixture.sessions.create(SessionRequest.of(fixture.plain("any")));
        Sessions sessions = sessions(withoutSpaceRule(Duration.ofDays(1)));
        try (Locks.Held _ =
                Locks.tryAcquire(new StateLayout(fixture.state).sweepLock(), "test")
                        .orElseThrow()) {
            List<SweepReport> none = new ArrayList<>();
            assertThatThrownBy(() -> none.add(sessions.sweep()))
                    .isInstanceOf(ConflictException.class)
                    .hasMessageContaining("another sweep");
        }
        assertThat(sessions.sweep().items()).isEmpty();
    }

    @Test
    void aRecordThatCannotBeReadProtectsEverySnapshot() throws Exception {
        Session broken = fixture.sessions.create(SessionRequest.of(fixture.git("broken")));
        Files.writeString(
                new StateLayout(fixture.state).session(broken.id().value()).record(), "{");
        for (Path snapshot : snapshots()) {
            age(snapshot.resolve("snapshot.json"), Duration.ofDays(90));
        }
        assertThat(sessions(withoutSpaceRule(Duration.ZERO)).sweep().items()).isEmpty();
        assertThat(snapshots()).hasSize(1);
        assertThat(fixture.sessions.ids()).hasSize(1);
        fixture.sessions.remove(broken.id().value(), Sessions.Running.END);
    }
}
