package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** A session and a command to run in it; the session may also come after the options. */
final class SessionWords {

    @Parameters(paramLabel = "ID [--] CMD", arity = "0..*", hidden = true)
    List<String> words = List.of();

    private Optional<String> first = Optional.empty();

    void session(String reference) {
        first = Optional.of(reference);
    }

    String session() {
        return first.or(() -> words.stream().findFirst())
                .orElseThrow(() ->
                        new InvalidInputException(
                                "the ID of a session is missing",
                                "List them: carrel session list"));
    }

    List<String> command() {
        List<String> command = words;
        if (first.isEmpty() && !words.isEmpty()) {
            command = words.subList(1, words.size());
            if (!command.isEmpty() && command.getFirst().equals("--")) {
                command = command.subList(1, command.size());
            } else if (!command.isEmpty() && command.getFirst().startsWith("-")) {
                throw new InvalidInputException(
                        "options are on both sides of the session",
                        "Example: carrel exec " + session() + " --cwd src -- make");
            }
        }
        if (command.isEmpty()) {
            throw new InvalidInputException(
                    "there is no command to run",
                    "Example: carrel exec " + session() + " -- make test");
        }
        return command;
    }
}
