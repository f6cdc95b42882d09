package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.testing.DoomedJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.SeenProcesses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kills, hostile trees and broken files, as the session sees them. */
class SessionFaultsIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private SessionFixture fixture;
    private Path project;

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
        project = fixture.plain("project");
        Files.writeString(project.resolve("a.txt"), "one\n");
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    @Test
    void killedCommandIsLoggedWithoutItsEndAndItsFilesStay() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        String token = fixture.record(session).token();
        List<String> words =
                List.of(
                        "run",
                        fixture.base.toString(),
                        Requirements.bwrap().toString(),
                        session.id().value(),
                        "0",
                        "false");
        Process child = new DoomedJvm(FaultMain.class).start(List.of(words));
        await(() -> Files.exists(fixture.layout(session).upper("project", 1).resolve("written")));
        child.destroyForcibly().waitFor();

        await(() -> SeenProcesses.with(token).isEmpty());
        assertThat(fixture.sessions.list())
                .extracting(SessionSummary::state)
                .containsExactly(SessionState.STOPPED);
        assertThat(session.log())
                .singleElement()
                .satisfies(entry -> assertThat(entry.exit()).isEmpty());
        assertThat(fixture.run(session, "cat written")).isEqualTo("mine\n");
    }

    @Test
    void changesThatAreDiscardedWhileTheyArePrintedAreAConflict() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        fixture.run(session, "echo two >a.txt; echo new >b.txt");
        OutputStream discarding =
                new OutputStream() {
                    @Override
                    public void write(int written) throws IOException {
                        try {
                            session.discard(List.of());
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                    }
                };

        assertThatThrownBy(() -> print(session, discarding))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("discarded");
        // The control: the same where nobody discards.
        fixture.run(session, "echo three >a.txt");
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        print(session, whole);
        assertThat(whole.toString(StandardCharsets.UTF_8)).contains("+three");
    }

    private static void print(Session session, OutputStream to) throws InterruptedException {
        session.printDiff(List.of(), false, DiffFormat.PATCH, false, to);
    }

    @Test
    void removalFreesHostileTrees() throws Exception {
        Requirements.program("perl");
        Path outside = Files.createDirectory(fixture.base.resolve("outside"));
        Files.writeString(outside.resolve("keep"), "kept\n");
        Session session = fixture.sessions.create(SessionRequest.of(project));
        fixture.run(
                session,
                """
                for place in . ~ /tmp; do
                  cd "$place"
                  mkdir -p closed/inner && echo x > closed/inner/f && chmod 000 closed/inner closed
                  mkdir read-only && echo x > read-only/f && chmod 500 read-only
                  mkfifo pipe
                  ln -s / root; ln -s %1$s outside; ln -s %1$s/keep file; ln -s loop loop
                  touch -- "-rf" "$(printf 'new\\nline')" "$(printf '\\377')"
                  # Deeper than a path may be long.
                  perl -e 'for (1 .. 30) { mkdir "d" x 200 or die; chdir "d" x 200 or die }' || exit 1
                done
                """
                        .formatted(outside));

        fixture.sessions.remove(session.id().value(), Running.REFUSE);

        assertThat(fixture.sessions.list()).isEmpty();
        assertThat(fixture.sessionFiles()).isEmpty();
        assertThat(outside.resolve("keep")).hasContent("kept\n");
        assertThat(project.resolve("a.txt")).hasContent("one\n");
    }

    @Test
    void removalWaitsForItsCommandsOrEndsThem() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        String id = session.id().value();
        String token = fixture.record(session).token();
        CompletableFuture<String> running =
                CompletableFuture.supplyAsync(() -> end(session, "touch here; sleep 600"));
        await(() -> !session.changes(List.of(), false).getFirst().changeSet().isEmpty());

        assertThatThrownBy(() -> fixture.sessions.remove(id, Running.REFUSE))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("1 command still runs");
        assertThat(fixture.record(session).isReady()).isTrue();
        assertThat(fixture.run(session, "ls")).contains("here");

        fixture.sessions.remove(id, Running.END);

        assertThat(running.get()).matches("137: .*|session .* was removed");
        assertThat(SeenProcesses.with(token)).isEmpty();
        assertThatThrownBy(() -> session.changes(List.of(), false))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining("was removed");
    }

    @Test
    void applyAtWorkIsNotTakenForAKilledOneNorItsSessionRemoved() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        SessionLayout layout = fixture.tools().layout().session(session.id().value());
        fixture.run(session, "echo two > a.txt");
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "apply", Duration.ofSeconds(1))) {
            session.planApply(List.of(), false).steps().getFirst().run();
            assertThat(layout.applyJournal()).exists();

            assertThat(fixture.sessions.list()).hasSize(1);

            assertThat(layout.applyJournal()).exists();
        }
        assertThat(fixture.sessions.list()).hasSize(1);
        assertThat(layout.applyJournal()).doesNotExist();
    }

    @Test
    void sessionThatCannotBeReadDoesNotHideTheOthers() throws Exception {
        Session broken = fixture.sessions.create(SessionRequest.of(project));
        Session whole = fixture.sessions.create(SessionRequest.of(project));
        SessionLayout layout = fixture.tools().layout().session(broken.id().value());
        byte[] record = Files.readAllBytes(layout.record());
        Files.writeString(
                layout.record(),
                new String(record, StandardCharsets.UTF_8)
                        .replaceFirst("\"created\" : \"[^\"]*\"", "\"created\" : \"soon\""));
        assertThat(fixture.sessions.list()).hasSize(2);
        Files.writeString(layout.record(), "{");

        assertThat(fixture.sessions.list())
                .extracting(SessionSummary::id, SessionSummary::state)
                .contains(
                        tuple(broken.id(), SessionState.BROKEN),
                        tuple(whole.id(), SessionState.STOPPED));
        assertThatThrownBy(() -> broken.changes(List.of(), false))
                .isInstanceOf(BrokenStoreException.class);
        Files.write(layout.record(), record);
    }

    @Test
    void sessionThatCannotBeReadIsRemovedByItsWholeId() throws Exception {
        Session broken = fixture.sessions.create(SessionRequest.of(project));
        String id = broken.id().value();
        SessionLayout layout = fixture.tools().layout().session(id);
        Thread sleeping =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                fixture.run(broken, "touch here; sleep 100");
                            } catch (InterruptedException e) {
                                // As it is meant to end.
                            }
                        });
        await(() ->
                Files.exists(
                        fixture.record(broken).repos().getFirst().upper(layout).resolve("here")));
        String token = fixture.record(broken).token();
        Files.writeString(layout.record(), "{");

        assertThatThrownBy(() -> fixture.sessions.find(id))
                .isInstanceOf(BrokenStoreException.class)
                .satisfies(e ->
                        assertThat(((BrokenStoreException) e).remedy().orElseThrow())
                                .contains("carrel session rm " + id));
        assertThatThrownBy(() -> fixture.sessions.remove(id.substring(0, 4), Running.END))
                .isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> fixture.sessions.remove(id, Running.END))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("still use session " + id);
        assertThat(layout.directory()).exists();
        sleeping.interrupt();
        await(() -> SeenProcesses.with(token).isEmpty());

        assertThat(fixture.sessions.remove(id, Running.REFUSE)).isEqualTo(broken.id());

        assertThat(fixture.sessionFiles()).isEmpty();
    }

    @Test
    void applyThatCanNeitherBeFinishedNorUndoneDoesNotKeepOthersFromWork() throws Exception {
        Session stuck = fixture.sessions.create(SessionRequest.of(project));
        Session other = fixture.sessions.create(SessionRequest.of(project));
        Files.writeString(fixture.tools().layout().session(stuck.id().value()).applyJournal(), "{");

        assertThat(fixture.sessions.list()).hasSize(2);
        assertThat(fixture.run(fixture.sessions.find(other.id().value()), "cat a.txt"))
                .isEqualTo("one\n");
        assertThat(fixture.notices)
                .anyMatch(text -> text.contains(stuck.id() + " cannot be repaired"));
        assertThatThrownBy(() -> stuck.apply(List.of(), false))
                .isInstanceOf(BrokenStoreException.class);
        fixture.sessions.remove(stuck.id().value(), Running.REFUSE);
        assertThat(fixture.sessions.list()).hasSize(1);
    }

    private String end(Session session, String script) {
        try {
            return fixture.run(session, script);
        } catch (NotFoundException | IllegalStateException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Fact {
        boolean holds() throws Exception;
    }

    private static void await(Fact fact) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!fact.holds()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}
