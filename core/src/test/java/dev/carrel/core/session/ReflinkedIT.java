package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.snapshot.BaseMethod;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions of a plain directory where files can share blocks: a base that costs no space. */
class ReflinkedIT {

    private static final int BIG = 16_000_000;

    private SessionFixture fixture;
    private Path project;

    @BeforeEach
    void open() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.in(Requirements.reflinks());
        project = fixture.plain("project");
        byte[] content = new byte[BIG];
        new Random(1).nextBytes(content);
        Files.write(Files.createDirectory(project.resolve("sub")).resolve("big"), content);
        Files.createSymbolicLink(project.resolve("link"), Path.of("sub/big"));
    }

    @AfterEach
    void remove() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    @Test
    void theBaseTakesNoSpaceAndIsApartFromItsOrigin() throws Exception {
        long before = free();
        Session session = fixture.sessions.create(SessionRequest.of(project));

        assertThat(before - free()).isLessThan(BIG / 4);
        assertThat(fixture.record(session).repos().getFirst().base().method())
                .isEqualTo(BaseMethod.REFLINK);
        assertThat(fixture.notices).isEmpty();
        // In place, as neither an overlay nor a hard link could bear.
        overwrite(project.resolve("sub/big"), "host");
        assertThat(fixture.run(session, "head -c 4 sub/big | grep -c host; true")).isEqualTo("0\n");
        assertThat(session.changes(List.of(), false).getFirst().changeSet().listed()).isEmpty();
        // The control: a copy does take the space.
        long copied = free();
        Files.write(fixture.base.resolve("copy"), Files.readAllBytes(project.resolve("sub/big")));
        assertThat(copied - free()).isGreaterThan(BIG / 2);
    }

    @Test
    void itsChangesAreAppliedOrRefusedAsOfAnyBase() throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        var origin = TreeImage.of(project);
        fixture.run(
                session, "printf s | dd of=sub/big conv=notrunc status=none; rm link; mkdir new");
        assertThat(TreeImage.of(project)).isEqualTo(origin);

        session.apply(List.of(), false);

        assertThat(project.resolve("link")).doesNotExist();
        assertThat(Files.size(project.resolve("sub/big"))).isEqualTo(BIG);
        assertThat(fixture.run(session, "md5sum <sub/big"))
                .isEqualTo(fixture.shell("md5sum <" + project.resolve("sub/big")));
        fixture.run(session, "printf t | dd of=sub/big conv=notrunc status=none");
        overwrite(project.resolve("sub/big"), "host");
        assertThatThrownBy(() -> session.apply(List.of(), false))
                .isInstanceOf(ConflictException.class);
    }

    private static void overwrite(Path file, String start) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.writeBytes(start);
        }
    }

    /** Blocks are given out late: what was written is on its disk first. */
    private long free() throws Exception {
        fixture.shell("sync -f " + fixture.base);
        return Files.getFileStore(fixture.base).getUnallocatedSpace();
    }
}
