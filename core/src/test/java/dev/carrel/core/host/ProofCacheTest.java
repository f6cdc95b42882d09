package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProofCacheTest {

    @TempDir private Path temporary = Path.of("/");
    private Path program = Path.of("/");
    private Path file = Path.of("/");

    @BeforeEach
    void prepare() throws IOException {
        program = Files.writeString(temporary.resolve("bwrap"), "one");
        file = temporary.resolve("cache");
    }

    @Test
    void remembersOneVeryFile() throws IOException {
        cache().remember(program, "0.12.0");

        assertThat(cache().version(program)).contains("0.12.0");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void forgetsAChangedFileAndDoesNotKnowAnother() throws IOException {
        cache().remember(program, "0.12.0");
        Path other = Files.writeString(temporary.resolve("other"), "one");

        assertThat(cache().version(other)).isEmpty();
        Files.writeString(program, "two!");
        assertThat(cache().version(program)).isEmpty();
    }

    @Test
    void ignoresAFileThatOthersMayWrite() throws IOException {
        cache().remember(program, "0.12.0");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThat(cache().version(program)).isEmpty();
    }

    @Test
    void ignoresGarbageAndLinks() throws IOException {
        Files.write(file, new byte[] {0, -1, 10, 13, 7});
        assertThat(cache().version(program)).isEmpty();

        cache().remember(program, "0.12.0");
        Path moved = Files.move(file, temporary.resolve("moved"));
        Files.createSymbolicLink(file, moved);
        assertThat(cache().version(program)).isEmpty();
    }

    @Test
    void livesWithoutAFileAndWithoutAFolder() {
        new ProofCache(Optional.empty(), Caller.current()).remember(program, "0.12.0");
        Path nowhere = temporary.resolve("missing/cache");
        new ProofCache(Optional.of(nowhere), Caller.current()).remember(program, "0.12.0");

        assertThat(nowhere).doesNotExist();
    }

    private ProofCache cache() {
        return new ProofCache(Optional.of(file), Caller.current());
    }
}
