package dev.carrel.core.host;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The distribution's own bubblewrap, unpacked from its package and installed nowhere. */
final class DebianBubblewrap {

    private DebianBubblewrap() {}

    /** The unpacked program, of whatever version the distribution has. */
    static Path unpack(Path folder) throws IOException, InterruptedException {
        Requirements.program("apt-get");
        Requirements.program("dpkg-deb");
        // The download needs the network; its absence is a fact of the machine.
        ProcessResult download =
                new HostProcessRunner()
                        .run(
                                Command.of(
                                                "apt-get",
                                                "-qq",
                                                "-o",
                                                "APT::Sandbox::User=root",
                                                "download",
                                                "bubblewrap")
                                        .in(folder));
        Requirements.that(
                download.succeeded(),
                "needs 'apt-get download bubblewrap': " + download.errorText());
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> archive = files.filter(f -> f.toString().endsWith(".deb")).findFirst();
            new HostProcessRunner()
                    .run(
                            Command.of(
                                    "dpkg-deb",
                                    "-x",
                                    archive.orElseThrow().toString(),
                                    folder.toString()));
        }
        return folder.resolve("usr/bin/bwrap");
    }
}
