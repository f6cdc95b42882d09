package dev.carrel.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The parser of one verb, and the help that is made from it. */
final class VerbHelp {

    private static final int WIDTH = 100;

    private VerbHelp() {}

    /** Options end where the command of the verb begins, if it takes one. */
    static CommandLine parser(Verb verb) {
        return new CommandLine(verb)
                .setStopAtPositional(verb instanceof TakesCommand)
                .setExpandAtFiles(false)
                .setInterpolateVariables(false)
                .setOverwrittenOptionsAllowed(true)
                .setPosixClusteredShortOptionsAllowed(false)
                .setUsageHelpWidth(WIDTH);
    }

    static String of(Verbs verb) {
        return text(parser(verb.make()), Ansi.OFF);
    }

    static String text(CommandLine parser, Ansi ansi) {
        return parser.getUsageMessage(ansi);
    }

    static String synopsis(CommandLine parser) {
        return parser.getHelp().synopsis(0).strip().replaceAll("\\s+", " ");
    }
}
