package dev.carrel.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/** What every verb takes. */
final class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean asked;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The file of settings to use; it may also be named before the verb.")
    Optional<String> config = Optional.empty();
}
