package dev.carrel.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessTreeIT {

    private static final long MIB = 1L << 20;

    /** Ends its first thread, and goes on with 60 MiB and 4 MiB without a name in another. */
    private static final String SOURCE =
            """
            #include <fcntl.h>
            #include <pthread.h>
            #include <string.h>
            #include <stdlib.h>
            #include <unistd.h>
            #include <sys/syscall.h>
            static void *rest(void *none) {
                char *p = malloc(60 << 20);
                usleep(200000);
                memset(p, 1, 60 << 20);
                write(1, "x", 1);
                sleep(60);
                return none;
            }
            int main(int count, char **words) {
                char *piece = malloc(4 << 20);
                int file = open(words[1], O_CREAT | O_WRONLY, 0600);
                memset(piece, 1, 4 << 20);
                unlink(words[1]);
                write(file, piece, 4 << 20);
                pthread_t thread;
                pthread_create(&thread, 0, rest, 0);
                syscall(SYS_exit, 0);
            }
            """;

    @TempDir private Path directory;

    @Test
    void aProcessWhoseFirstThreadEndedHasItsMemoryAllTheSame() throws Exception {
        Requirements.program("gcc");
        Path program = directory.resolve("p");
        assertThat(
                        new HostProcessRunner()
                                .run(
                                        Command.of(
                                                        "gcc",
                                                        "-pthread",
                                                        "-x",
                                                        "c",
                                                        "-",
                                                        "-o",
                                                        program.toString())
                                                .withInput(
                                                        SOURCE.getBytes(
                                                                java.nio.charset.StandardCharsets
                                                                        .UTF_8)))
                                .exit())
                .isZero();
        RunningProcess running =
                new HostProcessRunner()
                        .start(
                                Command.of(program.toString(), directory.resolve("f").toString())
                                        .withStreams(
                                                new Command.Input.Nothing(),
                                                new Command.Output.Piped(),
                                                new Command.Output.Captured()));
        try {
            assertThat(running.output().read()).isEqualTo('x');
            ProcessTree tree = ProcessTree.below(running.pid());
            assertThat(tree.use().memory()).isGreaterThan(60 * MIB);
            assertThat(tree.shareOfMemory()).isGreaterThan(60 * MIB);
            assertThat(tree.deletedFiles()).isEqualTo(new ProcessTree.Deleted(4 * MIB, true));
        } finally {
            running.kill();
            running.awaitExit();
        }
    }

    @Test
    void whatAProcessHidesIsNotTakenForNothing() throws Exception {
        Requirements.program("perl");
        // PR_SET_DUMPABLE: from then on its files are root's.
        String script =
                "open($f, q(>), $ARGV[0]); unlink $ARGV[0]; @x = (q(x) x 20971520);"
                        + " syswrite($f, $x[0], 4194304);"
                        + " syscall($ARGV[1], 4, 0, 0, 0, 0);"
                        + " $| = 1; print q(x); sleep 60";
        String prctl = System.getProperty("os.arch", "").equals("amd64") ? "157" : "167";
        RunningProcess running =
                new HostProcessRunner()
                        .start(
                                Command.of(
                                                "perl",
                                                "-e",
                                                script,
                                                directory.resolve("g").toString(),
                                                prctl)
                                        .withStreams(
                                                new Command.Input.Nothing(),
                                                new Command.Output.Piped(),
                                                new Command.Output.Captured()));
        try {
            assertThat(running.output().read()).isEqualTo('x');
            ProcessTree tree = ProcessTree.below(running.pid());
            ProcessTree.Deleted deleted = tree.deletedFiles();
            assertThat(deleted.bytes() == 4 * MIB || !deleted.complete()).isTrue();
            assertThat(tree.shareOfMemory()).isGreaterThan(20 * MIB);
        } finally {
            running.kill();
            running.awaitExit();
        }
        assertThat(ProcessTree.below(running.pid()).deletedFiles())
                .as("of one that has ended")
                .isEqualTo(new ProcessTree.Deleted(0, true));
    }
}
