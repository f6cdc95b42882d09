package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.SessionRequest;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel plan run}. */
@Command(
        name = "carrel plan run",
        header = "Print what run would do, without doing it.",
        customSynopsis = "carrel plan run [OPTIONS] [--] CMD [ARG…]",
        description = {
            "",
            "The plan of the session and the exact command lines. Nothing is run or written.",
            ""
        },
        footer = {"", "Examples:", "  carrel plan run --include .env -- npm test"})
final class PlanRunVerb implements TakesCommand {

    @Mixin HelpOption help = new HelpOption();
    @Mixin SessionOptions sessionOptions = new SessionOptions();
    @Mixin CommandOptions commandOptions = new CommandOptions();
    @Mixin AllowOption allow = new AllowOption();
    @Mixin LimitOptions limits = new LimitOptions();

    @Parameters(paramLabel = "CMD", arity = "0..*", hidden = true)
    List<String> words = List.of();

    @Override
    public void command(List<String> given) {
        words = given;
    }

    @Override
    public int run(Context context) throws InterruptedException {
        if (words.isEmpty()) {
            throw new InvalidInputException("there is no command to plan", "carrel help plan run");
        }
        SessionRequest session = sessionOptions.request(context, allow, limits);
        CommandRequest command =
                commandOptions.request(
                        context,
                        words,
                        StartDirectory.of(context, session.repos()),
                        List.of(),
                        ResourceLimits.NONE);
        context.sessions().explain(session, command).forEach(context.out()::println);
        return ExitCode.OK;
    }
}
