import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.agent.AgentRequest;
import dev.carrel.core.agent.AgentResult;
import dev.carrel.core.agent.AgentRun;
import dev.carrel.core.agent.Agents;
import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Gives several tasks to an agent at once, each in a session of its own. Run it with the name of
 * the backend, the repository and the tasks as its arguments:
 *
 * <pre>java -cp LIBRARY docs/examples/AgentTasks.java codex DIRECTORY TASK…</pre>
 */
public final class AgentTasks {

    private AgentTasks() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path repository = Path.of(arguments[1]).toAbsolutePath();
        List<String> tasks = Arrays.asList(arguments).subList(2, arguments.length);
        Settings settings =
                Settings.of(System.getenv(), Path.of("").toAbsolutePath(), Optional.empty());

        try (Sessions sessions = Sessions.open(settings, _ -> {});
                Agents agents = Agents.open(sessions, AgentSettings.DEFAULT, settings)) {
            List<AgentRun> runs = new ArrayList<>();
            for (String task : tasks) {
                runs.add(
                        agents.start(
                                AgentRequest.of(arguments[0], task, repository),
                                AgentTasks::show));
            }
            for (AgentRun run : runs) {
                tell(run.await());
            }
        }
    }

    /** Events of a run come one at a time, on a thread of that run. */
    private static void show(AgentEvent event) {
        switch (event) {
            case AgentEvent.ToolCall call -> System.err.println(call.tool() + " " + call.input());
            case AgentEvent.Denied denied ->
                    System.err.println("denied: " + denied.host() + ":" + denied.port());
            default -> {}
        }
    }

    private static void tell(AgentResult result) {
        System.out.println(result.ending().word() + ": " + result.ending().message());
        result.ending().remedy().ifPresent(System.out::println);
        result.changes().forEach(file -> System.out.println(file.change() + " " + file.path()));
        result.session().ifPresent(session -> System.out.println("session " + session));
    }
}
