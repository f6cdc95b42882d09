import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.files.FileRange;
import dev.carrel.core.files.GrepRequest;
import dev.carrel.core.files.GrepResult;
import dev.carrel.core.files.ViewFiles;
import dev.carrel.core.files.ViewPath;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an agent platform does with the library: a session for a conversation, the tools of an agent
 * on it, then the changes. Run it with the repository as its argument:
 *
 * <pre>java -cp LIBRARY docs/examples/AgentTools.java DIRECTORY</pre>
 */
public final class AgentTools {

    private AgentTools() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path repository = Path.of(arguments[0]).toAbsolutePath();
        Settings settings =
                Settings.of(System.getenv(), Path.of("").toAbsolutePath(), Optional.empty());

        // The events say what goes on; here they are shown, a platform would log them.
        try (Sessions sessions = Sessions.open(settings, event -> System.err.println(event))) {
            Session session = sessions.create(SessionRequest.of(repository));

            // Many short calls follow: the session stays up between them.
            try (KeptRunning kept = session.keepRunning()) {
                readAndEdit(session);
                runACommand(session);
            }
            lookAndTake(session);
            sessions.remove(session.id().value(), Sessions.Running.REFUSE);
        }
    }

    /** The tools "write", "edit", "grep", "read" of an agent. */
    private static void readAndEdit(Session session) throws InterruptedException {
        ViewFiles files = session.files();
        ViewPath greeting = session.viewPath("src/greeting.txt");
        files.write(greeting, "hello world\n".getBytes(StandardCharsets.UTF_8));
        files.edit(greeting, "world", "carrel", false);

        GrepResult found = files.grep(session.viewPath("src"), GrepRequest.of("carrel"));
        for (GrepResult.Match match : found.matches()) {
            System.out.println(match.path() + ":" + match.line() + ": " + match.text());
        }
        System.out.print(files.read(greeting, new FileRange.Lines(1, 20)).text());
        System.out.println("on the host it would be " + session.hostPath(greeting).orElseThrow());
    }

    /** The tool "shell": with a time limit, and its output in memory. */
    private static void runACommand(Session session) throws InterruptedException {
        CommandResult result =
                session.run(
                        CommandRequest.of("sh", "-c", "wc -c < src/greeting.txt")
                                .with(new CommandRequest.Streams.Captured())
                                .within(Duration.ofMinutes(1)));
        System.out.println(
                "exit " + result.exit() + ", " + result.ending().word() + ": " + result.outputText().strip());
    }

    /** Nothing has reached the repository so far. */
    private static void lookAndTake(Session session) throws InterruptedException {
        ApplyPlan plan = session.planApply(List.of(), false);
        plan.operations().forEach((repo, operations) ->
                operations.forEach(operation ->
                        System.out.println("would write " + repo + "/" + operation.path())));
        session.apply(List.of(), false);
    }
}
