package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionNameIT {

    private SessionFixture fixture;
    private Path project;

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
        project = fixture.plain("project");
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    private SessionRequest named(String name) {
        SessionRequest plain = SessionRequest.of(project);
        return new SessionRequest(
                plain.repos(),
                Optional.of(name),
                plain.policy(),
                plain.uncommitted(),
                plain.include(),
                plain.mounts());
    }

    private Path link(String name) {
        return fixture.state.resolve("names").resolve(name);
    }

    /** A reader of the other record would wait for somebody to write into it. */
    @Test
    void aSessionIsFoundWithoutALookAtAnyOther() throws Exception {
        Session wanted = fixture.sessions.create(named("wanted"));
        Session other = fixture.sessions.create(SessionRequest.of(project));
        Path record = fixture.state.resolve("sessions/" + other.id() + "/session.json");
        Path kept = Files.move(record, record.resolveSibling("kept"));
        try (Dir directory = Dir.open(record.resolveSibling("."))) {
            directory.makeFifo(Names.bytes("session.json"), 0600);
        }
        String id = wanted.id().value();
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    assertThat(fixture.sessions.find("wanted").id()).isEqualTo(wanted.id());
                    assertThat(fixture.sessions.find(id).id()).isEqualTo(wanted.id());
                    String beginning = id.substring(0, id.length() - 1);
                    assertThat(fixture.sessions.find(beginning).id()).isEqualTo(wanted.id());
                    assertThat(fixture.sessions.create(named("next")).id()).isNotNull();
                });
        Files.delete(record);
        Files.move(kept, record);
    }

    @Test
    void ofManyWhoWantANameAtOnceOneGetsIt() throws Exception {
        List<CompletableFuture<Optional<SessionId>>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(CompletableFuture.supplyAsync(this::tryToTake));
        }
        List<SessionId> made = new ArrayList<>();
        all.forEach(one -> one.join().ifPresent(made::add));
        assertThat(made).hasSize(1);
        assertThat(fixture.sessions.ids()).containsExactly(made.getFirst().value());
        assertThat(fixture.sessions.find("one").id()).isEqualTo(made.getFirst());
    }

    private Optional<SessionId> tryToTake() {
        try (Sessions own = Sessions.open(fixture.settings, _ -> {})) {
            return Optional.of(own.create(named("one")).id());
        } catch (ConflictException taken) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aNameIsFreeAgainOnceItsSessionIsGone() throws Exception {
        Session first = fixture.sessions.create(named("again"));
        assertThatThrownBy(() -> fixture.sessions.create(named("again")))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining(first.id().value());
        fixture.sessions.remove("again", Sessions.Running.END);
        assertThat(Files.isSymbolicLink(link("again"))).isFalse();
        assertThat(fixture.sessions.create(named("again")).id()).isNotNull();
    }

    @Test
    void aLinkThatAKillLeftIsNoSession() throws Exception {
        Session other = fixture.sessions.create(named("other"));
        for (String text : List.of("no-session", other.id().value(), "../sessions", "/etc")) {
            Files.deleteIfExists(link("left"));
            Files.createSymbolicLink(link("left"), Path.of(text));
            assertThatThrownBy(() -> fixture.sessions.find("left"))
                    .isInstanceOf(NotFoundException.class);
            Session made = fixture.sessions.create(named("left"));
            assertThat(fixture.sessions.find("left").id()).isEqualTo(made.id());
            fixture.sessions.remove("left", Sessions.Running.END);
        }
    }
}
