package dev.carrel.cli;

import dev.carrel.core.session.CommandResult;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel shell}. */
@Command(
        name = "carrel shell",
        header = "Open a shell in an existing session.",
        customSynopsis = "carrel shell ID [OPTIONS]",
        description = {
            "",
            "The shell is the caller's $SHELL where the session has it, else bash, else sh.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel shell calm-otter",
            "  carrel shell calm --cwd web",
            "  carrel shell calm --allow '*.example.org' --publish 8080",
            "  carrel session new --name try && carrel shell try"
        })
final class ShellVerb implements Verb {

    /** Looked for inside, since the host's shells need not be there. */
    private static final String SCRIPT =
            "for s in \"$1\" bash; do"
                    + " if [ -n \"$s\" ] && p=$(command -v -- \"$s\") && [ -x \"$p\" ]; then"
                    + " SHELL=$p; export SHELL; exec \"$p\"; fi; done; exec sh";

    @Mixin HelpOption help = new HelpOption();
    @Mixin CommandOptions options = new CommandOptions();
    @Mixin AllowOption allow = new AllowOption();
    @Mixin LimitOptions limits = new LimitOptions();

    @Parameters(paramLabel = "ID", description = "The session.")
    String session = "";

    @Override
    public int run(Context context) throws InterruptedException {
        context.requireEnabled();
        CoreSession found = context.sessions().find(session);
        String preferred = context.surroundings().environment().getOrDefault("SHELL", "");
        CommandResult result =
                new CommandRun(StreamPlan.of(context::isTerminal))
                        .run(
                                found,
                                options.request(
                                        context,
                                        argv(preferred),
                                        Optional.empty(),
                                        allow.hosts,
                                        limits.limits()));
        new LimitReport(result).tell(context);
        new NetworkReport(found.id(), true, result.network()).tell(context);
        return result.exit();
    }

    static List<String> argv(String preferred) {
        return List.of("sh", "-c", SCRIPT, "carrel-shell", preferred);
    }
}
