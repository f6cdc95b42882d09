package dev.carrel.bench;

import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Carrel as a library. */
record Library(Sessions sessions) {

    static Library at(Workbench bench, Path workspaces) throws IOException {
        return new Library(
                Sessions.open(
                        Settings.of(
                                bench.environment(workspaces), bench.directory(), Optional.empty()),
                        event -> {}));
    }

    Session create(Path repository) throws InterruptedException {
        return sessions.create(SessionRequest.of(repository));
    }

    Session create(Path repository, String name) throws InterruptedException {
        SessionRequest plain = SessionRequest.of(repository);
        return sessions.create(
                new SessionRequest(
                        plain.repos(),
                        Optional.of(name),
                        plain.policy(),
                        plain.uncommitted(),
                        plain.include(),
                        plain.mounts()));
    }

    void remove(Session session) throws InterruptedException {
        sessions.remove(session.id().value(), Sessions.Running.END);
    }

    static void run(Session session, String... argv) throws Exception {
        CommandResult result =
                session.run(CommandRequest.of(argv).with(new CommandRequest.Streams.Captured()));
        if (result.exit() != 0) {
            throw new Workbench.ProgramFailed(result.exit() + ": " + result.errorText());
        }
    }

    /** All at once, until the last has ended. */
    static void atOnce(int times, Contender.Action action) throws Exception {
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            FutureTask<Boolean> one =
                    new FutureTask<>(() -> {
                        action.run();
                        return true;
                    });
            Thread.ofVirtual().start(one);
            all.add(one);
        }
        for (Future<Boolean> one : all) {
            one.get();
        }
    }
}
