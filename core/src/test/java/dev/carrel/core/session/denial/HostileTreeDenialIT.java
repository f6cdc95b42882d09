package dev.carrel.core.session.denial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.Trees;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command leaves a tree made to hurt whoever reads it on the host. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class HostileTreeDenialIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    /** VICTIM is a directory of the host, ours a path of the repository. */
    private static final String PLANT =
            """
            set -e
            ln -s "$VICTIM/file" absolute
            ln -s "../victim/file" relative
            ln -s "$VICTIM" directory
            ln -s /proc/self/root process
            ln -s loop loop
            rm a.txt && ln -s "$VICTIM/file" a.txt
            rm -r sub && ln -s "$VICTIM" sub
            mkfifo pipe
            mkdir -p shut/in && echo x >shut/in/file && chmod 000 shut/in
            echo x >setuid && chmod 6755 setuid
            echo x >"$(printf 'byte\\377name')"
            echo x >"$(printf 'new\\nline')"
            echo x >"$(printf '\\033]0;title\\007')"
            echo x >./-rf
            mkdir -p "$VICTIM_NAME" && echo x >"$VICTIM_NAME/file"
            perl -e 'use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, sockaddr_un("server")) or die $!'
            perl -e 'my $d = ""; for (1 .. 100) { mkdir "d" or die; chdir "d" or die }'
            echo good >good.txt
            """;

    private SessionFixture fixture;
    private Path origin;
    private Path victim;

    @BeforeEach
    void create() throws Exception {
        Requirements.program("perl");
        fixture = SessionFixture.create();
        origin = fixture.git("project");
        Files.writeString(Files.createDirectory(origin.resolve("sub")).resolve("file"), "sub\n");
        victim = fixture.plain("victim");
        Files.writeString(victim.resolve("file"), "of the host\n");
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    @Test
    void nothingOfItReachesTheHost() throws Exception {
        var before = TreeImage.of(victim);
        Session session = fixture.sessions.create(SessionRequest.of(origin));
        run(session, PLANT);

        String listing = "";
        for (DiffFormat format : DiffFormat.values()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            session.printDiff(List.of(), true, format, false, out);
            listing = out.toString(UTF_8);
            assertThat(listing).doesNotContain("of the host").doesNotContain("\033]0;");
        }
        assertThat(session.changes(List.of(), true).getFirst().changeSet().changes()).isNotEmpty();

        assertApplied(session);
        assertThat(TreeImage.of(victim)).isEqualTo(before);

        // Only once more, with links where directories and files were when the base was taken.
        run(session, "rm -f good.txt directory && mkdir directory && echo x >directory/file");
        session.discard(List.of());
        fixture.sessions.remove(session.id().value(), Sessions.Running.REFUSE);
        assertThat(TreeImage.of(victim)).isEqualTo(before);
        assertThat(fixture.sessions.list()).isEmpty();
    }

    private void assertApplied(Session session) throws Exception {
        run(session, "chmod 700 shut/in");
        session.apply(List.of(), true);
        assertThat(origin.resolve("good.txt")).hasContent("good");
        assertThat(Files.readSymbolicLink(origin.resolve("sub"))).isEqualTo(victim);
        int mode =
                (int)
                        Files.getAttribute(
                                origin.resolve("setuid"), "unix:mode", LinkOption.NOFOLLOW_LINKS);
        assertThat(mode & 07777).isEqualTo(0755);
        assertThat(origin.resolve("pipe")).doesNotExist();
        assertThat(origin.resolve("server")).doesNotExist();
    }

    @Test
    void aLinkThatReplacesADirectoryOnTheHostIsNotFollowedByApply() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(origin));
        run(session, "echo changed >sub/file; echo new >sub/new");
        Files.delete(origin.resolve("sub/file"));
        Files.delete(origin.resolve("sub"));
        Files.createSymbolicLink(origin.resolve("sub"), victim);
        var before = TreeImage.of(victim);

        assertThat(session.planApply(List.of(), false).conflicts()).isNotEmpty();

        assertThat(TreeImage.of(victim)).isEqualTo(before);
    }

    @Test
    void gitOnTheHostRunsNothingThatWasPlantedInTheRepository() throws Exception {
        Path marker = fixture.base.resolve("marker");
        Path script =
                Files.writeString(
                        fixture.base.resolve("script"),
                        "#!/bin/sh\necho ran >>" + marker + "\ncat\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        Session session = fixture.sessions.create(SessionRequest.of(origin));
        var before = TreeImage.of(victim);
        run(session, plantIntoGit(script) + "echo more >>a.txt; echo new >new.txt");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        session.printDiff(List.of(), true, DiffFormat.PATCH, false, out);
        session.summary();
        session.apply(List.of(), true);
        fixture.sessions.list();
        assertThat(out.toString(UTF_8)).contains("+more");
        assertThat(marker).doesNotExist();

        // The same repository, hostile on the host itself, from which a session is made.
        Session second = hostileOrigin(script);
        run(second, "echo third >>a.txt");
        second.changes(List.of(), false);
        second.apply(List.of(), false);
        assertThat(marker).doesNotExist();

        // Where the name that keeps the base alive would be written.
        Trees.delete(origin.resolve(".git/refs"), "carrel");
        Files.createSymbolicLink(origin.resolve(".git/refs/carrel"), victim);
        assertThatThrownBy(() -> fixture.sessions.create(SessionRequest.of(origin)))
                .isInstanceOf(HostOperationException.class)
                .hasMessageContaining("refs/carrel is a link");
        assertThat(marker).doesNotExist();
        assertThat(TreeImage.of(victim)).isEqualTo(before);

        // The control: any git of the host that looks at it runs the script.
        fixture.git(origin, "status");
        assertThat(marker).exists();
    }

    private Session hostileOrigin(Path script) throws Exception {
        ProcessBuilder plant =
                new ProcessBuilder("sh", "-ec", plantIntoGit(script)).directory(origin.toFile());
        assertThat(plant.inheritIO().start().waitFor()).isZero();
        return fixture.sessions.create(SessionRequest.of(origin));
    }

    private String plantIntoGit(Path script) {
        return """
        S=%s
        git config core.fsmonitor "$S"
        git config filter.x.clean "$S"; git config filter.x.smudge "$S"; git config diff.external "$S"
        git config diff.x.textconv "$S"; git config core.pager "$S"; git config core.sshCommand "$S"
        git config credential.helper "$S"; git config gpg.program "$S"
        printf '* filter=x diff=x\\n' >.gitattributes
        mkdir -p .git/hooks
        for hook in pre-commit post-checkout post-index-change reference-transaction; do
            printf '#!/bin/sh\\n"%%s" </dev/null\\n' "$S" >.git/hooks/$hook; chmod 755 .git/hooks/$hook
        done
        for file in COMMIT_EDITMSG FETCH_HEAD ORIG_HEAD logs/HEAD info/sparse-checkout; do
            mkdir -p .git/logs .git/info; ln -sf %s/file .git/$file
        done
        """
                .formatted(script, victim);
    }

    private void run(Session session, String script) throws Exception {
        CommandResult result =
                session.run(
                        new CommandRequest(
                                List.of("sh", "-c", script),
                                java.util.Map.of(
                                        "VICTIM", victim.toString(), "VICTIM_NAME", "." + victim),
                                java.util.Optional.empty(),
                                new CommandRequest.Streams.Captured()));
        assertThat(result.exit()).as(result.errorText()).isZero();
    }
}
