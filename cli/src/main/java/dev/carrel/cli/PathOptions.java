package dev.carrel.cli;

import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which changes of which session are meant. */
final class PathOptions {

    @Option(names = "--ignored", description = "Files that git ignores as well.")
    boolean ignored;

    @Parameters(index = "0", paramLabel = "ID", description = "The session.")
    String session = "";

    @Parameters(
            index = "1..*",
            paramLabel = "PATH",
            description =
                    "Only what is at or below these paths: of the host, under /workspace, or of the"
                            + " repository (with several repositories, NAME/PATH).")
    List<String> paths = List.of();
}
