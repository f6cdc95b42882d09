package dev.carrel.cli;

import picocli.CommandLine.Option;

/** What every listing takes. */
final class JsonOption {

    @Option(
            names = "--json",
            description =
                    "Print JSON. A name that is not UTF-8 comes with replacement characters, and as"
                            + " base64 in a second field: pathBytes beside path.")
    boolean asked;
}
