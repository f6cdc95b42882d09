package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.SessionSettings;
import dev.carrel.core.policy.Setting;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code sandbox.mask} hides stays hidden, however one goes there. */
class MasksDenialIT {

    private static final String HIDDEN = "TOP-SECRET";

    private final List<String> warnings = new ArrayList<>();
    private static SessionFixture fixture;
    private static Path repository;

    @BeforeAll
    static void open() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        repository = repository("app");
    }

    @AfterAll
    static void remove() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    private Session session(Path repository, String... mask) throws InterruptedException {
        SandboxPolicy policy =
                SessionSettings.of(List.of(new Setting("sandbox.mask", List.of(mask), "test")))
                        .sandbox();
        SessionRequest usual = SessionRequest.of(repository);
        try (Sessions sessions =
                Sessions.open(
                        fixture.settings,
                        event -> {
                            if (event instanceof SessionEvent.Warning(String text)) {
                                warnings.add(text);
                            }
                        })) {
            Session made =
                    sessions.create(
                            new SessionRequest(
                                    usual.repos(),
                                    Optional.empty(),
                                    policy,
                                    true,
                                    List.of("ignored"),
                                    List.of()));
            return fixture.sessions.find(made.id().value());
        }
    }

    private CommandResult run(Session session, String script) throws InterruptedException {
        return session.run(
                CommandRequest.of("sh", "-c", script).with(new CommandRequest.Streams.Captured()));
    }

    /** A repository with secrets, and links of all kinds to them. */
    private static Path repository(String name) throws Exception {
        Path root = fixture.git(name);
        Files.createDirectories(root.resolve("secrets/deep"));
        Files.writeString(root.resolve("secrets/deep/key"), HIDDEN);
        Files.writeString(root.resolve(".env"), HIDDEN);
        Files.writeString(root.resolve("ignored"), HIDDEN);
        Files.writeString(root.resolve("shown"), "fine");
        Files.createSymbolicLink(root.resolve("to-key"), Path.of("secrets/deep/key"));
        Files.createSymbolicLink(root.resolve("to-env"), Path.of("/workspace/app/.env"));
        Files.createSymbolicLink(root.resolve("outside"), Path.of("/etc/hostname"));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(root.resolve("round"), Path.of("round"));
        Files.createSymbolicLink(root.resolve("top"), Path.of("secrets/.."));
        return root;
    }

    @Test
    void hiddenPlacesCannotBeReadByAnyWay() throws Exception {
        Session session = session(repository, "secrets", ".env", "ignored", "secrets/deep");
        String everyWay =
                """
                for f in secrets/deep/key .env ignored to-key to-env; do cat $f && echo "READ $f"; done
                ls secrets && echo READ
                ln -s secrets/deep/key fresh && cat fresh && echo READ
                ln .env hard && cat hard && echo READ
                mv secrets moved && echo MOVED
                rm -rf secrets && echo REMOVED
                chmod 777 secrets .env && echo CHANGED
                cp -a . /tmp/copy
                grep -r TOP-SECRET . /tmp/copy && echo FOUND
                umount secrets && echo UMOUNTED
                cat shown
                """;

        for (int start = 0; start < 2; start++) {
            CommandResult result = run(session, everyWay);
            assertThat(result.outputText()).isEqualTo("fine");
            assertThat(result.errorText()).contains(".env: Permission denied");
        }
        assertThat(run(session, "rm -f fresh").exit()).isZero();
        assertThat(session.changes(List.of(), true).getFirst().changeSet().listed()).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void withoutAMaskTheyCanBeRead() throws Exception {
        assertThat(
                        run(session(repository), "cat secrets/deep/key .env ignored to-key to-env")
                                .outputText())
                .isEqualTo(HIDDEN.repeat(5));
    }

    @Test
    @Tag("NS-05")
    void aLinkHidesWhatItLeadsTo() throws Exception {
        Session session = session(repository, "to-key", "to-env");

        assertThat(
                        run(
                                        session,
                                        "cat secrets/deep/key; cat .env; cat to-key; echo end; cat ignored")
                                .outputText())
                .isEqualTo("end\n" + HIDDEN);
        assertThat(warnings).isEmpty();
    }

    @Test
    void whatHidesNothingIsWarnedOfAndTheSessionStarts() throws Exception {
        Session session =
                session(repository, "outside", "dangling", "round", "missing", ".env/x", ".env");

        assertThat(run(session, "cat .env || cat shown").outputText()).isEqualTo("fine");
        assertThat(warnings)
                .hasSize(5)
                .allMatch(text ->
                        text.endsWith("hides nothing: no repository has it, or it leads out"))
                .first()
                .asString()
                .startsWith("sandbox.mask: 'outside'");
    }

    @Test
    void theWholeRepositoryIsNotHidden() throws Exception {
        List<String> before = fixture.sessions.ids();
        assertThatThrownBy(() -> session(repository, "top"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'top' leads to the root of app");
        assertThat(fixture.sessions.ids()).isEqualTo(before);
    }

    @Test
    void otherWorkIsTakenAndHiddenPlacesAreLeftAlone() throws Exception {
        Path repository = repository("other");
        Session session = session(repository, "secrets", ".env");
        run(
                session,
                "echo new >shown; mkdir -p a; echo b >a/b; git status --short >/tmp/s; echo x >.env");
        session.apply(List.of(), true);

        assertThat(repository.resolve("shown")).hasContent("new");
        assertThat(repository.resolve("a/b")).hasContent("b");
        assertThat(repository.resolve(".env")).hasContent(HIDDEN);
        assertThat(repository.resolve("secrets/deep/key")).hasContent(HIDDEN);
        session.discard(List.of());
        assertThat(run(session, "cat .env; cat shown").outputText()).isEqualTo("fine");
    }
}
