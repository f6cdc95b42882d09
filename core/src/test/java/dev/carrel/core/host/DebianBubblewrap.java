package dev.carrel.core.host;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Path;

/** The bubblewrap of Debian 12, unpacked from its package and installed nowhere. */
final class DebianBubblewrap {

    private static final Path SCRIPT = Path.of("../scripts/bwrap-bookworm");

    private DebianBubblewrap() {}

    /** The unpacked program, version 0.8, whichever Debian this machine runs. */
    static Path unpack(Path folder) throws InterruptedException {
        Requirements.program("apt-get");
        Requirements.program("dpkg-deb");
        // The download needs the network; its absence is a fact of the machine.
        ProcessResult unpacked =
                new HostProcessRunner()
                        .run(
                                Command.of(
                                        SCRIPT.toAbsolutePath().normalize().toString(),
                                        folder.toString()));
        Requirements.that(unpacked.succeeded(), "needs Debian's archive: " + unpacked.errorText());
        return folder.resolve("usr/bin/bwrap");
    }
}
