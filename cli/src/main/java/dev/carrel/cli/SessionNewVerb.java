package dev.carrel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code carrel session new}. */
@Command(
        name = "carrel session new",
        header = "Make a session and print its id.",
        customSynopsis = "carrel session new [OPTIONS]",
        description = {"", "Nothing but the id is written to standard output.", ""},
        footer = {
            "",
            "Examples:",
            "  id=$(carrel session new)",
            "  carrel session new --repo ~/src/app --name refactoring",
            "  carrel session new --allow '*.example.org' --allow tcp://db.example.org:5432",
            "  carrel session new --include node_modules --set sandbox.seccomp=enforce"
        })
final class SessionNewVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();
    @Mixin SessionOptions options = new SessionOptions();
    @Mixin AllowOption allow = new AllowOption();
    @Mixin LimitOptions limits = new LimitOptions();

    @Override
    public int run(Context context) throws InterruptedException {
        CoreSession session =
                context.sessions().create(options.requestAsking(context, allow, limits));
        context.out().println(session.id());
        return ExitCode.OK;
    }
}
