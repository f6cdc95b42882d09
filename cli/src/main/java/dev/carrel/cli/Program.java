package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.policy.Nearest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** From the words of a command line to an exit code. */
final class Program {

    private final Surroundings surroundings;
    private final Opening opening;
    private final Failures failures;

    Program(Surroundings surroundings, Opening opening) {
        this.surroundings = surroundings;
        this.opening = opening;
        this.failures = new Failures(surroundings);
    }

    /**
     * @param process the words as the kernel has them
     */
    int run(List<String> words, Path process) {
        try {
            RawWords.require(words, process);
        } catch (CarrelException wrong) {
            failures.tell(wrong);
            return Verbs.at(LeadingWords.of(words).rest())
                    .map(ExitCode::wrongUsage)
                    .orElse(ExitCode.USAGE);
        }
        return run(words);
    }

    /** The same for words that came otherwise than from the caller. */
    int run(List<String> line) {
        LeadingWords leading = LeadingWords.of(line);
        List<String> words = leading.rest();
        if (leading.isIncomplete()) {
            failures.wrongUsage(
                    "--config needs a file", "carrel --config FILE VERB …", "carrel --help");
            return ExitCode.USAGE;
        }
        if (words.isEmpty()) {
            surroundings.err().print(MainHelp.text());
            return ExitCode.USAGE;
        }
        return switch (words.getFirst()) {
            case "--help", "-h" -> print(MainHelp.text());
            case "--version", "-V" -> print(MainHelp.version());
            case "help" -> help(words.subList(1, words.size()));
            default ->
                    Verbs.at(words)
                            .map(verb ->
                                    run(
                                            verb,
                                            leading.config(),
                                            words.subList(verb.words().size(), words.size())))
                            .orElseGet(() -> unknown(words));
        };
    }

    private int print(String text) {
        surroundings.out().print(text);
        return ExitCode.OK;
    }

    private int help(List<String> words) {
        if (words.isEmpty()) {
            return print(MainHelp.text());
        }
        Optional<Verbs> verb = Verbs.at(words);
        if (verb.isPresent()) {
            return print(VerbHelp.of(verb.get()));
        }
        List<Verbs> group = Verbs.in(words.getFirst());
        return group.isEmpty() ? unknown(words) : print(MainHelp.group(group));
    }

    private int unknown(List<String> words) {
        String first = words.getFirst();
        List<Verbs> group = Verbs.in(first);
        if (!group.isEmpty()) {
            return unknownInGroup(words, group);
        }
        if (first.startsWith("-")) {
            failures.wrongUsage(
                    "there is no option " + first + " here", "carrel VERB …", "carrel --help");
            return ExitCode.USAGE;
        }
        Stream<String> verbs = Arrays.stream(Verbs.values()).map(verb -> verb.words().getFirst());
        failures.wrongUsage(
                "there is no verb '"
                        + first
                        + "'"
                        + meant("", first, Stream.concat(verbs, Stream.of("help")).toList()),
                "carrel VERB …",
                "carrel --help");
        return ExitCode.USAGE;
    }

    private static String meant(String group, String word, List<String> names) {
        return Nearest.within(word, names)
                .map(near -> "; did you mean " + group + near + "?")
                .orElse("");
    }

    private int unknownInGroup(List<String> words, List<Verbs> group) {
        if (words.size() > 1 && (words.get(1).equals("--help") || words.get(1).equals("-h"))) {
            return print(MainHelp.group(group));
        }
        List<String> names = group.stream().map(verb -> verb.words().getLast()).toList();
        String problem =
                words.size() == 1
                        ? words.getFirst() + " needs one of " + String.join(", ", names)
                        : "there is no '"
                                + words.get(0)
                                + " "
                                + words.get(1)
                                + "'"
                                + meant(words.get(0) + " ", words.get(1), names);
        failures.wrongUsage(
                problem,
                "carrel " + words.getFirst() + " " + String.join("|", names) + " …",
                "carrel help " + words.getFirst());
        return ExitCode.USAGE;
    }

    private int run(Verbs which, Optional<String> config, List<String> arguments) {
        Verb verb = which.make();
        List<String> rest = arguments;
        if (verb instanceof TakesSession before
                && !arguments.isEmpty()
                && !arguments.getFirst().startsWith("-")) {
            before.session(arguments.getFirst());
            rest = arguments.subList(1, arguments.size());
        }
        if (verb instanceof TakesCommand taker && !hasOptions(rest)) {
            taker.command(rest.subList(rest.getFirst().equals("--") ? 1 : 0, rest.size()));
            return run(which, verb, config);
        }
        CommandLine parser = VerbHelp.parser(verb);
        try {
            ParseResult parsed = parser.parseArgs(rest.toArray(String[]::new));
            if (parsed.isUsageHelpRequested()) {
                return print(VerbHelp.text(parser, Ansi.OFF));
            }
        } catch (ParameterException wrong) {
            failures.wrongUsage(which, wrong);
            return ExitCode.wrongUsage(which);
        }
        Optional<String> nearer = parser.getCommandSpec().findOption("--config").getValue();
        return run(which, verb, nearer.or(() -> config));
    }

    /** The parser takes as long to start as all else together, and here it has nothing to do. */
    private static boolean hasOptions(List<String> words) {
        return words.isEmpty()
                || (words.getFirst().startsWith("-") && !words.getFirst().equals("--"));
    }

    private int run(Verbs which, Verb verb, Optional<String> config) {
        try {
            return verb.run(new Context(surroundings, opening, config));
        } catch (InterruptedException e) {
            // A signal ends the program; the JVM answers with its number.
            return ExitCode.INTERRUPTED;
        } catch (RuntimeException | Error e) {
            return failures.failed(which, e);
        }
    }
}
