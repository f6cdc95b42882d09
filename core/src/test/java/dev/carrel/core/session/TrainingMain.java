package dev.carrel.core.session;

import java.nio.file.Files;
import java.util.List;

/** What most child JVMs do: a session from its start to its end. For the classes that it loads. */
final class TrainingMain {

    private TrainingMain() {}

    public static void main(String[] arguments) throws Exception {
        SessionFixture fixture = SessionFixture.create();
        try {
            Session session = fixture.sessions.create(SessionRequest.of(fixture.git("project")));
            Session plain = fixture.sessions.create(SessionRequest.of(fixture.plain("plain")));
            fixture.run(session, "echo two > a.txt; echo new > b.txt");
            fixture.run(plain, "echo new > b.txt");
            session.apply(List.of("/workspace/project/b.txt"), false);
            session.discard(List.of());
            if (!Files.exists(fixture.base.resolve("project/b.txt"))) {
                throw new AssertionError("nothing was applied");
            }
        } finally {
            fixture.remove();
        }
    }
}
