package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.InvalidInputException;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The one place that turns failures into text and exit codes. */
final class Failures {

    private final Surroundings surroundings;

    Failures(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    void wrongUsage(Verbs verb, ParameterException wrong) {
        wrongUsage(
                problem(verb, wrong),
                VerbHelp.synopsis(wrong.getCommandLine()),
                "carrel help " + verb.path());
    }

    private static String problem(Verbs verb, ParameterException wrong) {
        String problem = String.valueOf(wrong.getMessage());
        if (wrong instanceof MissingParameterException missing) {
            problem = missing(verb, missing.getMissing().getFirst());
        }
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            List<String> near = unmatched.getSuggestions();
            String first = unmatched.getUnmatched().getFirst();
            problem =
                    (unmatched.isUnknownOption() ? "there is no option " : "too much: ")
                            + first
                            + (near.isEmpty() ? "" : "; did you mean " + near.getFirst() + "?");
        }
        return problem;
    }

    private static String missing(Verbs verb, ArgSpec what) {
        if (what instanceof OptionSpec option) {
            return option.longestName() + " needs a value: " + option.paramLabel();
        }
        return "carrel "
                + verb.path()
                + " needs "
                + (what.paramLabel().equals("ID")
                        ? "the ID of a session, see: carrel session list"
                        : what.paramLabel());
    }

    void wrongUsage(String problem, String usage, String help) {
        PrintStream err = surroundings.err();
        err.println("carrel: " + Human.oneLine(problem));
        err.println("  usage: " + usage);
        err.println("  help:  " + help);
    }

    /** Says what failed and answers the exit code. */
    int failed(Verbs verb, Throwable failure) {
        if (failure instanceof CarrelException expected) {
            tell(expected);
        } else {
            surroundings
                    .err()
                    .println(
                            "carrel: this is a defect of carrel: "
                                    + Human.oneLine(failure.toString())
                                    + (surroundings.hasDebug()
                                            ? ""
                                            : "\n  fix: CARREL_DEBUG=1 shows where, for a report"));
        }
        if (surroundings.hasDebug()) {
            failure.printStackTrace(surroundings.err());
        }
        return failure instanceof InvalidInputException
                ? ExitCode.wrongUsage(verb)
                : ExitCode.failed(verb);
    }

    void tell(CarrelException failure) {
        PrintStream err = surroundings.err();
        failure.message().lines().forEach(line -> err.println("carrel: " + Human.oneLine(line)));
        failure.remedy()
                .ifPresent(remedy ->
                        remedy.lines()
                                .forEach(line -> err.println("  fix: " + Human.oneLine(line))));
    }
}
