package dev.carrel.cli;

import dev.carrel.core.process.Shell;
import dev.carrel.core.session.LogEntry;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel log}. */
@Command(
        name = "carrel log",
        header = "List the commands of a session with times and exit codes, oldest first.",
        customSynopsis = "carrel log ID [--json]",
        description = "",
        footer = {"", "Examples:", "  carrel log calm-otter", "  carrel log calm-otter --json"})
final class LogVerb implements Verb {

    private static final int SECONDS = 19;

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    @Parameters(paramLabel = "ID", description = "The session.")
    String session = "";

    @Override
    public int run(Context context) throws InterruptedException {
        List<LogEntry> log = context.sessions().find(session).log();
        if (json.asked) {
            context.out()
                    .println(new Json.Array(log.stream().map(LogVerb::json).toList()).written());
        } else if (!log.isEmpty()) {
            table(log).forEach(context.out()::println);
        }
        return ExitCode.OK;
    }

    static List<String> table(List<LogEntry> log) {
        Table table = new Table().row("STARTED", "TOOK", "EXIT", "DIRECTORY", "COMMAND");
        for (LogEntry entry : log) {
            table.row(
                    entry.started().toString().substring(0, SECONDS) + "Z",
                    entry.duration().map(Human::duration).orElse("-"),
                    entry.exit().map(String::valueOf).orElse("-"),
                    Human.oneLine(entry.directory()),
                    Human.oneLine(Shell.quote(entry.argv())));
        }
        return table.lines();
    }

    private static Json json(LogEntry entry) {
        Json.Fields fields =
                Json.object()
                        .put("command", Json.texts(entry.argv()))
                        .put("directory", entry.directory())
                        .put("started", entry.started().toString());
        entry.duration().ifPresent(took -> fields.put("durationMillis", took.toMillis()));
        entry.exit().ifPresent(exit -> fields.put("exit", exit));
        return fields;
    }
}
