package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MountProbeIT {

    @Test
    void anInterruptDoesNotEndTheProbeInTheMiddle() throws Exception {
        Requirements.bwrap();
        RuntimeFixture session = RuntimeFixture.create();
        try {
            // Written by the sandbox's user.
            Path marks = session.files().probe().resolve("upper");
            Path slow = slow(session.base, marks);
            Path work = session.view.works().getFirst();
            session.run("true"); // as the kernel leaves it
            session.awaitNothingLeft();
            AtomicReference<Throwable> end = new AtomicReference<>();
            Thread asking =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    probe(session, slow).isFree(work);
                                } catch (InterruptedException | RuntimeException e) {
                                    end.set(e);
                                }
                            });
            RuntimeFixture.await(() -> Files.exists(marks.resolve("begun")), "the probe runs");

            asking.interrupt();
            asking.join();

            assertThat(end.get()).isInstanceOf(InterruptedException.class);
            assertThat(marks.resolve("ended")).exists();
        } finally {
            session.remove();
        }
    }

    /** In place of bubblewrap: slow enough to be met in the middle by an interrupt. */
    private static Path slow(Path directory, Path marks) throws Exception {
        String script =
                """
                #!/bin/sh
                touch %1$s/begun
                sleep 0.3
                touch %1$s/ended
                """
                        .formatted(marks);
        Path slow = Files.writeString(directory.resolve("slow"), script);
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
        return slow;
    }

    private static MountProbe probe(RuntimeFixture session, Path bwrap) {
        return new MountProbe(session.runner, bwrap, session.identity, session.files());
    }
}
