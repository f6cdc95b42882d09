package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Files of the host as standard streams: a process that had them could open them anew for writing,
 * cut them off, and change their mode. Each attack succeeds without a sandbox.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostFileStreamsSystemIT {

    private Installation installation;
    private String session;

    @BeforeAll
    void open() throws Exception {
        installation = Installation.open();
        session = installation.carrel("session", "new").out().strip();
    }

    @AfterAll
    void close() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    private Path file(String text) throws Exception {
        Path file = installation.file("stream");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        return file;
    }

    /** Runs a line of the host's shell in which @ stands for the start of a sandbox. */
    private Installation.Answer shell(String line, boolean sandboxed) throws Exception {
        String start = sandboxed ? Installation.program() + " exec " + session + " -- " : "";
        return installation.host("sh", "-c", line.replace("@", start));
    }

    @Test
    void theFileThatIsReadCannotBeWritten() throws Exception {
        String attack = "@sh -c 'cat; echo pwned >/proc/self/fd/0' <" + file("secret\n");
        assertThat(shell(attack, true).out()).isEqualTo("secret\n");
        assertThat(installation.read("stream")).isEqualTo("secret\n");
        shell(attack, false);
        assertThat(installation.read("stream")).isEqualTo("pwned\n");
    }

    @Test
    void theLogThatIsWrittenCannotBeCutOff() throws Exception {
        String attack = "@sh -c ': >/proc/self/fd/1; echo new' >>" + file("old\n") + " 2>/dev/null";
        shell(attack, true);
        assertThat(installation.read("stream")).startsWith("old\n");
        file("old\n");
        shell(attack, false);
        assertThat(installation.read("stream")).isEqualTo("new\n");
    }

    @Test
    void itsModeCannotBeChanged() throws Exception {
        installation.needs("perl");
        Path file = file("x");
        String attack =
                "@perl -e 'chmod(0700, *STDIN); chmod(0700, *STDOUT)' <" + file + " >>" + file;
        shell(attack, true);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-rw-rw-");
        shell(attack, false);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwx------");
    }

    @Test
    void aDirectoryIsNoInput() throws Exception {
        Installation.Answer refused = shell("@ls /proc/self/fd/0/.. </etc", true);
        assertThat(refused.exit()).isEqualTo(125);
        assertThat(refused.err()).contains("standard input is a directory");
        assertThat(shell("@ls /proc/self/fd/0/.. </etc", false).out()).contains("etc");
    }

    @Test
    void whatACommandDidNotReadIsThereForTheNextOne() throws Exception {
        Path lines = file("one\ntwo\nthree\n" + "x".repeat(100_000) + "\n");
        assertThat(
                        shell(
                                        "{ @head -n 0; @sh -c 'read l; echo $l'; head -n 1; } <"
                                                + lines,
                                        true)
                                .out())
                .isEqualTo("one\ntwo\n");
    }

    @Test
    void bothOutputsInOneFileKeepTheirOrder() throws Exception {
        Path log = file("");
        shell("@sh -c 'for i in 1 2 3; do echo o$i; echo e$i >&2; done' >" + log + " 2>&1", true);
        assertThat(installation.read("stream")).isEqualTo("o1\ne1\no2\ne2\no3\ne3\n");
    }
}
