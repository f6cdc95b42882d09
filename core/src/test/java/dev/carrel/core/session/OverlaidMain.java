package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Uses a session where the repository or the state is on an overlay, and tells what happened. */
public final class OverlaidMain {

    /** A directory that goes, one that becomes a file, one that comes, and changes of files. */
    private static final String WORK =
            """
            test "$(cat a.txt sub/deep/file)" = "one
            x"
            echo two >>a.txt; rm -r sub kind; echo kind >kind; mkdir new; echo new >new/file
            mv moved renamed; chmod +x tool
            find . -name .git -prune -o -type f -printf '%P %m ' -exec cat {} ';' | sort
            """;

    private OverlaidMain() {}

    /**
     * {@code NAME BASE BWRAP}: the repository {@code BASE/NAME}; the state is {@code BASE/state}.
     */
    public static void main(String[] arguments) throws Exception {
        SessionFixture fixture = SessionFixture.at(Path.of(arguments[1]), Path.of(arguments[2]));
        Path project = fixture.base.resolve(arguments[0]);
        try {
            Session session = fixture.sessions.create(SessionRequest.of(project));
            System.out.print(fixture.run(session, WORK));
            System.out.println("origin " + Files.readString(project.resolve("a.txt")).strip());
            session.apply(List.of(), false);
            System.out.println("applied");
            fixture.sessions.remove(session.id().value(), Sessions.Running.REFUSE);
        } catch (CarrelException e) {
            System.out.println("refused: " + e.message() + " | " + e.remedy().orElse("-"));
        }
        System.out.println("sessions " + fixture.sessionFiles());
    }
}
