package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Step;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Uses sessions on disks that are full, and tells what happened. */
public final class FullDiskMain {

    private static final int MORE_THAN_FITS = 20_000_000;

    private final SessionFixture fixture;

    private FullDiskMain(SessionFixture fixture) {
        this.fixture = fixture;
    }

    /** {@code WORK BASE BWRAP}; {@code BASE/state} or {@code BASE/project} is a small disk. */
    public static void main(String[] arguments) throws Exception {
        FullDiskMain main =
                new FullDiskMain(SessionFixture.at(Path.of(arguments[1]), Path.of(arguments[2])));
        switch (arguments[0]) {
            case "create" -> main.create();
            case "command" -> main.command();
            case "apply" -> main.apply();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private void create() throws Exception {
        Path project = fixture.plain("project");
        Files.write(project.resolve("big"), new byte[MORE_THAN_FITS]);
        attempt(() -> fixture.sessions.create(SessionRequest.of(project)));
        System.out.println(fixture.sessionFiles());
        Files.delete(project.resolve("big"));
        Path filler = fixture.state.resolve("filler");
        fill(filler);
        attempt(() -> fixture.sessions.create(SessionRequest.of(project)));
        System.out.println(fixture.sessionFiles());
        Files.delete(filler);
        fixture.sessions.create(SessionRequest.of(project));
        System.out.println(fixture.sessions.list().size() + " session");
    }

    private void command() throws Exception {
        Path project = fixture.plain("project");
        Files.writeString(project.resolve("a.txt"), "one\n");
        Session session = fixture.sessions.create(SessionRequest.of(project));
        CommandResult result =
                session.run(
                        CommandRequest.of(
                                        "sh",
                                        "-c",
                                        "head -c 50000000 /dev/zero > big; echo; exit 7")
                                .with(new CommandRequest.Streams.Captured()));
        System.out.println("exit " + result.exit() + " " + result.errorText().strip());
        System.out.println(fixture.sessions.list().getFirst().state());
        // The end of the session has given a few blocks back.
        Path filler = fixture.state.resolve("filler");
        fill(filler);
        attempt(() -> fixture.run(session, "true"));
        attempt(() -> fixture.sessions.remove(session.id().value(), Running.REFUSE));
        System.out.println(fixture.sessionFiles());
        Files.delete(filler);
        Session next = fixture.sessions.create(SessionRequest.of(project));
        System.out.print(fixture.run(next, "cat a.txt"));
    }

    private void apply() throws Exception {
        Path project = fixture.base.resolve("project");
        Files.writeString(project.resolve("a.txt"), "one\n");
        Session session = fixture.sessions.create(SessionRequest.of(project));
        fixture.run(session, "echo two > a.txt; head -c 3000000 /dev/zero > b.bin");
        Path filler = project.resolve("filler");
        List<Step> steps = session.planApply(List.of(), false).steps();
        Files.write(filler, new byte[6_000_000]);
        attempt(() -> session.apply(List.of(), false));
        // It fitted when it was planned; others took the space before it was written.
        attempt(() -> {
            for (Step step : steps) {
                step.run();
            }
        });
        fixture.sessions.find(session.id().value());
        System.out.println(Files.readString(project.resolve("a.txt")).strip());
        System.out.println(Arrays.toString(sorted(project.toFile().list())));
        Files.delete(filler);
        attempt(() -> session.apply(List.of(), false));
        System.out.println(Files.readString(project.resolve("a.txt")).strip());
        System.out.println(Arrays.toString(sorted(project.toFile().list())));
    }

    private static String[] sorted(String[] names) {
        Arrays.sort(names);
        return names;
    }

    private interface Attempt {
        void run() throws Exception;
    }

    private static void attempt(Attempt attempt) throws Exception {
        try {
            attempt.run();
            System.out.println("done");
        } catch (CarrelException e) {
            System.out.println("refused: " + e.message() + " | " + e.remedy().orElse("-"));
        }
    }

    private static void fill(Path file) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException full) {
            // As meant.
        }
    }
}
