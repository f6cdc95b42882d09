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

    /** Ends its first thread, and goes on with 60 MiB in another. */
    private static final String SOURCE =
            """
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
            int main(void) {
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
                                Command.of(program.toString())
                                        .withStreams(
                                                new Command.Input.Nothing(),
                                                new Command.Output.Piped(),
                                                new Command.Output.Captured()));
        try {
            assertThat(running.output().read()).isEqualTo('x');
            ProcessTree tree = ProcessTree.below(running.pid());
            assertThat(tree.use().memory()).isGreaterThan(60 * MIB);
            assertThat(tree.shareOfMemory()).isGreaterThan(60 * MIB);
        } finally {
            running.kill();
            running.awaitExit();
        }
    }
}
