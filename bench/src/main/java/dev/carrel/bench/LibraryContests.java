package dev.carrel.bench;

import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Commands started from a Java program that uses Carrel as a library. */
record LibraryContests(Workbench bench) {

    private static final String BARE = "bare bwrap";
    private static final String UNFILTERED = "bare bwrap without a system call filter";
    private static final String TRUE = "/usr/bin/true";
    private static final int MANY = 16;

    Contest alone() throws Exception {
        Path repository = bench.repository("library", 20);
        Session session = running(repository);
        BareBwrap bare = BareBwrap.over(bench, repository, "bare-library");
        return new Contest(
                "A command from the library",
                "In a session that is kept running; bare bwrap is started by the same Java program"
                        + " and makes the same view, an overlay and a network namespace for each"
                        + " command. The JDK can hand over a system call filter by a shell"
                        + " only; without one bare bwrap needs none.",
                BARE,
                40,
                150,
                List.of(
                        Contender.of(BARE, () -> Workbench.start(bare.command(TRUE))),
                        Contender.of(UNFILTERED, () -> Workbench.start(bare.unfiltered(TRUE))),
                        Contender.of("Session.run", () -> Library.run(session, TRUE)),
                        Contender.of(
                                "a process of the host", () -> Workbench.start(List.of(TRUE)))));
    }

    Contest together() throws Exception {
        Path repository = bench.repository("library16", 20);
        Session session = running(repository);
        List<BareBwrap> bare = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            bare.add(BareBwrap.over(bench, repository, "bare16-" + i));
        }
        return new Contest(
                "16 commands at once from the library",
                "Until the last has ended. One session; one overlay for each bare bwrap.",
                BARE,
                5,
                25,
                List.of(
                        Contender.of(BARE, () -> together(bare, one -> one.command(TRUE))),
                        Contender.of(UNFILTERED, () -> together(bare, one -> one.unfiltered(TRUE))),
                        Contender.of(
                                "Session.run",
                                () -> Library.atOnce(MANY, () -> Library.run(session, TRUE)))));
    }

    private static void together(List<BareBwrap> bare, Function<BareBwrap, List<String>> command)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        Library.atOnce(
                bare.size(),
                () -> Workbench.start(command.apply(bare.get(next.getAndIncrement()))));
    }

    @SuppressWarnings("MustBeClosedChecker")
    private Session running(Path repository) throws Exception {
        Library library = Library.at(bench, bench.directory().resolve("workspaces"));
        Session session = library.create(repository);
        KeptRunning kept = session.keepRunning();
        Runtime.getRuntime().addShutdownHook(new Thread(kept::close));
        return session;
    }
}
