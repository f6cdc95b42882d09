package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.session.CommandRequest.Streams;
import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.SeenProcesses;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where commands start, and what a session needs of the host's directories. */
class SessionPlacesIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private SessionFixture fixture;
    private Path project;
    private Session session;

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
        project = fixture.git("project");
        Files.createDirectories(project.resolve("sub"));
        Files.writeString(project.resolve("sub/b.txt"), "b\n");
        session = fixture.sessions.create(SessionRequest.of(project));
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    private String startsIn(Session session, String directory) throws Exception {
        CommandResult result = session.run(at(directory));
        assertThat(result.errorText()).isEmpty();
        return result.outputText().strip();
    }

    private static CommandRequest at(String directory) {
        return new CommandRequest(
                List.of("pwd"),
                Map.of(),
                Optional.of(directory).filter(name -> !name.isEmpty()),
                new Streams.Captured());
    }

    private Session seenFrom(Path directory) throws Exception {
        Settings settings =
                new Settings(
                        fixture.state,
                        Optional.empty(),
                        fixture.settings.environment(),
                        directory,
                        Retention.DEFAULT);
        return Sessions.open(settings, _ -> {}).find(session.id().value());
    }

    @Test
    void aCommandStartsWhereItsCallerIsIfTheSessionHasThat() throws Exception {
        Path ignored = Files.createDirectory(project.resolve("ignored"));

        assertThat(startsIn(seenFrom(project.resolve("sub")), ""))
                .isEqualTo("/workspace/project/sub");
        assertThat(startsIn(seenFrom(ignored), "")).isEqualTo("/workspace/project");
        assertThat(startsIn(seenFrom(fixture.base), "")).isEqualTo("/workspace/project");
    }

    @Test
    void aWrongStartIsToldBeforeAnythingIsStarted() throws Exception {
        fixture.run(session, "ln -s sub link; mkdir made");

        assertThat(startsIn(session, "made")).isEqualTo("/workspace/project/made");
        assertThat(startsIn(session, "link")).endsWith("/sub");
        assertThat(startsIn(session, "/tmp")).isEqualTo("/tmp");
        int commands = session.log().size();
        assertThatThrownBy(() -> session.run(at("nowhere/in")))
                .isInstanceOf(NotFoundException.class)
                .hasMessage(
                        "no command can start in /workspace/project/nowhere/in: the session has no"
                                + " such directory");
        assertThatThrownBy(() -> session.run(at("sub/b.txt")))
                .hasMessage(
                        "no command can start in /workspace/project/sub/b.txt: it is no directory");
        assertThatThrownBy(() -> session.run(at("/usr/lib")))
                .hasMessageStartingWith("no command can start in /usr/lib: it is in none of")
                .satisfies(e -> assertThat(((CarrelException) e).remedy()).isPresent());
        assertThat(session.log()).hasSize(commands);
    }

    @Test
    @Tag("NS-05")
    @Tag("NS-06")
    void aLinkOfTheRepositoryLeadsNoMountToTheHost() throws Exception {
        Path outside = fixture.plain("outside");
        Files.createSymbolicLink(project.resolve("evil"), outside);
        Path shown = Files.writeString(fixture.base.resolve("shown"), "shown\n");
        for (String target : List.of("evil/made", "evil")) {
            assertThatThrownBy(() -> showing(shown, "/workspace/project/" + target))
                    .as(target)
                    .isInstanceOf(CarrelException.class);
            assertThat(outside).isEmptyDirectory();
        }
        assertThat(showing(shown, "/elsewhere/made")).isEqualTo("shown\n");
    }

    private String showing(Path file, String target) throws Exception {
        SessionRequest usual = SessionRequest.of(project);
        Session showing =
                fixture.sessions.create(
                        new SessionRequest(
                                usual.repos(),
                                Optional.empty(),
                                usual.policy(),
                                true,
                                List.of(),
                                List.of(
                                        new SessionRequest.MountRequest(
                                                file, Optional.of(target)))));
        return fixture.run(showing, "cat " + target);
    }

    @Test
    void aMovedRepositoryIsNamedAndItsChangesStayAtHand() throws Exception {
        fixture.run(session, "echo two >> a.txt");
        awaitEnd();
        Files.move(project, fixture.base.resolve("moved"));
        String problem =
                "the repository %s of session %s is not there: it was moved or removed"
                        .formatted(project, session.id());

        assertThatThrownBy(() -> session.run(at("")))
                .isInstanceOf(NotFoundException.class)
                .hasMessage(problem);
        assertThatThrownBy(() -> session.apply(List.of(), false))
                .isInstanceOf(NotFoundException.class)
                .hasMessage(problem)
                .satisfies(e ->
                        assertThat(((CarrelException) e).remedy().orElseThrow())
                                .contains("carrel diff " + session.id()));
        ByteArrayOutputStream diff = new ByteArrayOutputStream();
        session.printDiff(List.of(), false, DiffFormat.PATCH, false, diff);
        assertThat(diff.toString(StandardCharsets.UTF_8)).contains("+two");
        fixture.sessions.remove(session.id().value(), Running.REFUSE);
        assertThat(fixture.sessionFiles()).isEmpty();
    }

    /** Its mounts stay while a session runs. */
    private void awaitEnd() throws Exception {
        String token = fixture.record(session).token();
        for (int i = 0; i < 500 && !SeenProcesses.with(token).isEmpty(); i++) {
            Thread.sleep(20);
        }
    }
}
