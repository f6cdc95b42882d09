package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.files.EntryKind;
import dev.carrel.core.files.Expectation;
import dev.carrel.core.files.FileContent;
import dev.carrel.core.files.FileEntry;
import dev.carrel.core.files.FileRange;
import dev.carrel.core.files.GrepRequest;
import dev.carrel.core.files.GrepResult;
import dev.carrel.core.files.Replacement;
import dev.carrel.core.files.ViewFiles;
import dev.carrel.core.files.ViewPath;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The files of a session, through one that is kept running. */
class SessionFilesIT {

    private static SessionFixture fixture;
    private static Session session;
    private static KeptRunning kept;
    private static ViewFiles files;
    private static Path origin;

    @BeforeAll
    static void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        origin = fixture.git("app");
        session = fixture.sessions.create(SessionRequest.of(origin));
        kept = session.keepRunning();
        files = session.files();
    }

    @AfterAll
    static void end() throws Exception {
        if (kept != null) {
            kept.close();
            fixture.remove();
        }
    }

    private static ViewPath path(String relative) {
        return session.viewPath("/workspace/app/" + relative);
    }

    private static String text(ViewPath path) throws Exception {
        return files.read(path).text();
    }

    @Test
    void whatAToolWritesCommandsReadAndTheOtherWayRound() throws Exception {
        files.write(path("deep/er/new.txt"), "from the tool\n".getBytes(UTF_8));
        assertThat(fixture.run(session, "cat deep/er/new.txt; stat -c %a deep/er/new.txt"))
                .isEqualTo("from the tool\n644\n");

        fixture.run(session, "echo from a command >> deep/er/new.txt");
        assertThat(text(path("deep/er/new.txt"))).isEqualTo("from the tool\nfrom a command\n");
        assertThat(origin.resolve("deep")).doesNotExist();
    }

    @Test
    void aRangeOfBytesOrLinesIsReadWithTheWholeSize() throws Exception {
        fixture.run(session, "seq 1 100000 > numbers; truncate -s 1T hole");
        FileContent lines = files.read(path("numbers"), new FileRange.Lines(99_999, 10));
        assertThat(lines.text()).isEqualTo("99999\n100000\n");
        assertThat(lines.size()).isEqualTo(588_895);
        assertThat(files.read(path("numbers"), new FileRange.Bytes(2, 5)).text())
                .isEqualTo("2\n3\n4");
        assertThat(files.read(path("numbers"), new FileRange.Bytes(588_890, 100)).text())
                .isEqualTo("0000\n");
        assertThat(files.read(path("numbers"), new FileRange.Bytes(1_000_000, 1)).bytes())
                .isEmpty();
        assertThat(files.read(path("hole"), new FileRange.Bytes(1L << 39, 3)).bytes())
                .containsExactly(0, 0, 0);
        assertThatThrownBy(() -> files.read(path("hole")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("1099511627776 bytes");
        files.delete(path("hole"), false);
    }

    @Test
    void writingKeepsModesAndTellsWhatStandsInItsWay() throws Exception {
        fixture.run(session, "echo old > tool; chmod 755 tool; echo x > shut; chmod 444 shut");
        byte[] old = files.read(path("tool")).bytes();
        files.write(path("tool"), "new\n".getBytes(UTF_8), Expectation.Content.of(old));
        assertThat(files.stat(path("tool")).mode()).isEqualTo(0755);

        assertThatThrownBy(() -> files.write(path("tool"), old, Expectation.Content.of(old)))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("has changed since");
        assertThatThrownBy(() -> files.write(path("tool"), old, new Expectation.Nothing()))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("exists already");
        assertThatThrownBy(() -> files.write(path("shut"), old))
                .hasMessageContaining("may not be written");
        assertThatThrownBy(() -> files.write(path("."), old)).hasMessageContaining("directory");
        assertThatThrownBy(() -> files.write(ViewPath.of("/usr/share/new"), old))
                .hasMessageContaining("/usr/share/new");
        assertThat(text(path("tool"))).isEqualTo("new\n");
        fixture.run(session, "rm -f tool shut; test -z \"$(find . -name '.carrel-*')\"");
    }

    @Test
    void editsOfManyAtOnceAreAllKept() throws Exception {
        StringBuilder content = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            content.append("line").append(i).append(" open\n");
        }
        files.write(path("many"), content.toString().getBytes(UTF_8));
        CountDownLatch together = new CountDownLatch(4);
        AtomicInteger failed = new AtomicInteger();
        List<Thread> editors =
                java.util.stream.IntStream.range(0, 4)
                        .mapToObj(i ->
                                Thread.ofPlatform()
                                        .start(() -> {
                                            try {
                                                together.countDown();
                                                together.await();
                                                files.edit(
                                                        path("many"),
                                                        "line" + i + " open",
                                                        "done" + i,
                                                        false);
                                            } catch (Exception e) {
                                                failed.incrementAndGet();
                                            }
                                        }))
                        .toList();
        for (Thread editor : editors) {
            editor.join();
        }
        assertThat(failed).hasValue(0);
        assertThat(text(path("many"))).isEqualTo("done0\ndone1\ndone2\ndone3\n");
        assertThat(files.edit(path("many"), "done", "", true)).isEqualTo(new Replacement(4, 1));
        files.delete(path("many"), false);
    }

    @Test
    void namesAreBytes() throws Exception {
        byte[] odd = {'n', (byte) 0xff, '\n', '\'', '\\', '"', '$', '7', '\n'};
        ViewPath strange = path(".").child("-rf ü").child(odd);
        files.write(strange, "x\n".getBytes(UTF_8));

        List<FileEntry> entries = files.list(path(".").child("-rf ü"));
        assertThat(entries)
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.path()).isEqualTo(strange);
                    assertThat(entry.kind()).isEqualTo(EntryKind.FILE);
                    assertThat(entry.size()).isEqualTo(2);
                });
        assertThat(files.glob(path("."), "-rf*/*").paths()).containsExactly(strange);
        assertThat(files.grep(path("."), GrepRequest.of("^x$")).matches())
                .containsExactly(new GrepResult.Match(strange, 1, "x"));
        assertThat(fixture.run(session, "ls -A | grep -c -e '-rf'")).isEqualTo("1\n");
        files.delete(path(".").child("-rf ü"), true);
        assertThatThrownBy(() -> files.stat(strange)).isInstanceOf(NotFoundException.class);
    }

    @Test
    void listingShowsKindsAndLinksWithoutFollowingThem() throws Exception {
        fixture.run(
                session,
                "mkdir k; cd k; echo 12345 > file; chmod 4750 file; mkdir directory;"
                        + " ln -s /nowhere link; mkfifo pipe; touch -d @1000000000.25 file");
        List<FileEntry> entries = files.list(path("k"));
        assertThat(entries)
                .extracting(FileEntry::kind)
                .containsExactly(
                        EntryKind.DIRECTORY, EntryKind.FILE, EntryKind.LINK, EntryKind.SPECIAL);
        FileEntry file = entries.get(1);
        assertThat(file.mode()).isEqualTo(04750);
        assertThat(file.modified().toEpochMilli()).isEqualTo(1_000_000_000_250L);
        assertThat(entries.get(2).linkTarget()).isEqualTo(Optional.of("/nowhere"));
        assertThat(files.stat(path("k/link")).kind()).isEqualTo(EntryKind.LINK);
        assertThatThrownBy(() -> files.read(path("k/link"))).hasMessageContaining("there is no");
        assertThatThrownBy(() -> files.read(path("k/pipe"))).hasMessageContaining("FIFO");
        assertThatThrownBy(() -> files.list(path("k/file"))).hasMessageContaining("not a dir");
        assertThatThrownBy(() -> files.delete(path("k"), false)).hasMessageContaining("directory");
        files.delete(path("k"), true);
    }

    @Test
    void searchingFindsTextAndSaysWhenThereIsMore() throws Exception {
        fixture.run(
                session,
                "mkdir s; seq 1 50 > s/a.num; printf 'Zebra\\0' > s/binary; echo zebra > s/b.txt;"
                        + " mkdir s/.git; echo zebra > s/.git/hidden; ln -s /etc s/link");
        assertThat(files.grep(path("s"), GrepRequest.of("zebra")).matches())
                .containsExactly(new GrepResult.Match(path("s/b.txt"), 1, "zebra"));
        GrepResult some =
                files.grep(path("s"), new GrepRequest("[0-9]", false, false, Optional.empty(), 10));
        assertThat(some.matches()).hasSize(10);
        assertThat(some.complete()).isFalse();
        assertThat(files.grep(path("s"), GrepRequest.of("5").in("*.txt")).matches()).isEmpty();
        assertThat(
                        files.grep(
                                        path("s/b.txt"),
                                        new GrepRequest("Z", true, true, Optional.empty(), 5))
                                .matches())
                .hasSize(1);
        assertThatThrownBy(() -> files.grep(path("s"), GrepRequest.of("(")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("grep:");
        assertThat(files.glob(path("s"), "**").paths())
                .containsExactly(
                        path("s/a.num"), path("s/b.txt"), path("s/binary"), path("s/link"));
        files.delete(path("s"), true);
    }

    @Test
    void noLinkLeadsToTheHost() throws Exception {
        Path secret = fixture.base.resolve("secret");
        Files.writeString(secret, "of the host\n");
        fixture.run(
                session, "ln -s " + fixture.base + " out; ln -s /proc/1/root pid; ln -s /etc e");
        ViewPath through = path("out/secret");
        // The control: the link works for what the view has at its end.
        assertThat(text(path("e/passwd"))).contains("agent");

        assertThatThrownBy(() -> files.read(through)).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> files.read(path("pid" + secret)))
                .isInstanceOf(dev.carrel.core.failure.CarrelException.class);
        try {
            files.write(through, "led outside\n".getBytes(UTF_8));
        } catch (dev.carrel.core.failure.CarrelException e) {
            assertThat(e.message()).contains("out/secret");
        }
        assertThat(Files.readString(secret)).isEqualTo("of the host\n");
    }

    @Test
    void pathsOfTheHostAreTranslatedBothWays() throws Exception {
        Path link = fixture.base.resolve("by-link");
        Files.createSymbolicLink(link, origin);
        ViewPath place = path("src/A b.java");
        assertThat(session.viewPath(origin + "/src/./A b.java")).isEqualTo(place);
        assertThat(session.viewPath(link + "/src/A b.java")).isEqualTo(place);
        assertThat(session.viewPath("src/A b.java")).isEqualTo(place);
        assertThat(session.hostPath(place)).hasValue(origin.resolve("src/A b.java"));
        assertThat(session.hostPath(path("."))).hasValue(origin);
        assertThat(session.hostPath(ViewPath.of("/workspace/apple"))).isEmpty();
        assertThat(session.hostPath(ViewPath.of("/home/agent/x"))).isEmpty();
        assertThatThrownBy(() -> session.viewPath("../x")).hasMessageContaining("leads out");
    }
}
