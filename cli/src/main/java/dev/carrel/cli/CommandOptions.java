package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.session.CommandNetwork;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandRequest.Streams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a command is run. */
final class CommandOptions {

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            description = "A variable for the command; without a value the caller's own.")
    List<String> variables = List.of();

    @Option(
            names = "--cwd",
            paramLabel = "DIR",
            description =
                    "Where it starts: a directory under /workspace, one of the host inside a"
                            + " repository, or one of the first repository. Without it: where the"
                            + " caller is, if a repository of the session has that directory.")
    Optional<String> directory = Optional.empty();

    @Option(
            names = "--publish",
            paramLabel = "PORT",
            description =
                    "A port that the command listens on, also on the host's loopback at the same"
                            + " number while it runs; may be given more than once.")
    List<String> published = List.of();

    /**
     * The request with the caller's streams.
     *
     * @param start where it starts without an option
     * @param allowed hosts that this command alone may reach besides
     * @param limits of this command alone
     */
    CommandRequest request(
            Context context,
            List<String> argv,
            Optional<String> start,
            List<String> allowed,
            ResourceLimits limits) {
        return new CommandRequest(
                        argv,
                        environment(context.surroundings().environment()),
                        directory.or(() -> start),
                        new Streams.Inherited())
                .with(CommandNetwork.read(allowed, published))
                .with(limits);
    }

    private Map<String, String> environment(Map<String, String> caller) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String text : variables) {
            int equals = text.indexOf('=');
            if (equals == 0 || text.isEmpty()) {
                throw new InvalidInputException(
                        "--env " + text + ": it needs the form NAME or NAME=VALUE");
            }
            if (equals > 0) {
                environment.put(text.substring(0, equals), text.substring(equals + 1));
            } else {
                Optional.ofNullable(caller.get(text))
                        .ifPresent(value -> environment.put(text, value));
            }
        }
        return environment;
    }
}
