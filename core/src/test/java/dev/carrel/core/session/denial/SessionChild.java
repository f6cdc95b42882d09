package dev.carrel.core.session.denial;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A process of its own that makes a session and runs one command in it: arguments are the state
 * directory, the repository and the shell text. Prints what the command printed, then how it ended
 * and how much changed.
 */
final class SessionChild {

    private SessionChild() {}

    public static void main(String[] arguments) throws InterruptedException {
        Settings settings =
                new Settings(
                        Path.of(arguments[0]),
                        Optional.empty(),
                        System.getenv(),
                        Path.of(arguments[1]),
                        Retention.DEFAULT);
        try (Sessions sessions = Sessions.open(settings, _ -> {})) {
            Session session = sessions.create(SessionRequest.of(Path.of(arguments[1])));
            CommandResult result =
                    session.run(
                            CommandRequest.of("sh", "-c", arguments[2])
                                    .with(new CommandRequest.Streams.Captured()));
            System.out.print(result.outputText());
            System.out.print(result.errorText());
            System.out.println("exit " + result.exit());
            System.out.println(
                    "changes "
                            + session.changes(List.of(), false)
                                    .getFirst()
                                    .changeSet()
                                    .changes()
                                    .size());
        } catch (CarrelException e) {
            System.out.println("refused: " + e.message());
        }
    }
}
