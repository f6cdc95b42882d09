package dev.carrel.cli;

import dev.carrel.core.session.CommandRequest;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code carrel plan exec}. */
@Command(
        name = "carrel plan exec",
        header = "Print what exec would do, without doing it.",
        customSynopsis = "carrel plan exec ID [OPTIONS] [--] CMD [ARG…]",
        description = {"", "The exact command lines. Nothing is run or written.", ""},
        footer = {"", "Examples:", "  carrel plan exec calm-otter -- make"})
final class PlanExecVerb implements TakesSession {

    @Mixin HelpOption help = new HelpOption();
    @Mixin CommandOptions options = new CommandOptions();
    @Mixin AllowOption allow = new AllowOption();
    @Mixin LimitOptions limits = new LimitOptions();
    @Mixin SessionWords words = new SessionWords();

    @Override
    public void session(String reference) {
        words.session(reference);
    }

    @Override
    public void command(List<String> given) {
        words.words = given;
    }

    @Override
    public int run(Context context) throws InterruptedException {
        CommandRequest request =
                options.request(
                        context, words.command(), Optional.empty(), allow.hosts, limits.limits());
        context.sessions().find(words.session()).explain(request).forEach(context.out()::println);
        return ExitCode.OK;
    }
}
