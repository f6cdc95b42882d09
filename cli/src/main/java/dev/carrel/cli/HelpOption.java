package dev.carrel.cli;

import picocli.CommandLine.Option;

/** What every verb takes. */
final class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean asked;
}
