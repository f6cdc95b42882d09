package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.testing.DoomedJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that is killed after any step of its work, or in the middle of one, leaves nothing that
 * the next one would not finish or undo.
 */
class SessionKillsIT {

    /** How often within some step; {@code make soak} makes many. */
    private static final int MIDDLES = Integer.getInteger("carrel.middles", 1);

    private static final int LONGEST_MICROSECONDS = 15_000;

    private static DoomedJvm doomed;

    private final Random random = new Random(20_262);
    private SessionFixture fixture;

    @BeforeAll
    static void startTheFirst() throws Exception {
        Requirements.bwrap();
        doomed = new DoomedJvm(FaultMain.class);
    }

    @AfterAll
    static void endTheLast() {
        if (doomed != null) {
            doomed.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
        fixture.tools().layout().create();
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    /** What happens to the work on a subject: killed after each step, and within some. */
    private interface Trial {
        /** Kills it, once the subject is as it should be before. */
        void run(Kill kill, String when) throws Exception;
    }

    private interface Kill {
        void the(String work, String subject) throws Exception;
    }

    private void afterEveryStep(int count, Trial trial) throws Exception {
        for (int steps = 0; steps <= count; steps++) {
            int after = steps;
            trial.run(
                    (work, subject) -> doomed.kill(words(work, subject, after, true)),
                    "killed after step " + after);
        }
        within(count, trial);
    }

    private void within(int count, Trial trial) throws Exception {
        for (int i = 0; i < MIDDLES; i++) {
            int after = random.nextInt(count);
            int delay = random.nextInt(LONGEST_MICROSECONDS);
            trial.run(
                    (work, subject) -> doomed.killAfter(delay, words(work, subject, after, false)),
                    "killed " + delay + " microseconds after step " + after);
        }
    }

    private String[] words(String work, String subject, int steps, boolean stay) {
        return new String[] {
            work,
            fixture.base.toString(),
            Requirements.bwrap().toString(),
            subject,
            Integer.toString(steps),
            Boolean.toString(stay)
        };
    }

    @Test
    void killedCreationOfAGitSessionLeavesNothing() throws Exception {
        Path project = fixture.git("project");
        Files.writeString(project.resolve("a.txt"), "uncommitted\n");
        fixture.git(project, "tag", "-a", "-m", "told", "v1");

        killedCreationLeavesNothing(project);
    }

    @Test
    void killedCreationOfAPlainSessionLeavesNothing() throws Exception {
        Path project = fixture.plain("project");
        Files.writeString(project.resolve("a.txt"), "uncommitted\n");

        killedCreationLeavesNothing(project);
    }

    private void killedCreationLeavesNothing(Path project) throws Exception {
        SortedMap<TreePath, String> before = origin(project);
        SessionPlan plan = new SessionPlanner(fixture.tools()).plan(SessionRequest.of(project));
        afterEveryStep(
                plan.steps().size(),
                (kill, when) -> {
                    Trees.delete(fixture.state, "snapshots");
                    kill.the("create", project.toString());

                    for (SessionSummary whole : fixture.sessions.list()) {
                        requireUsable(fixture.sessions.find(whole.id().value()), when);
                        fixture.sessions.remove(whole.id().value(), Running.REFUSE);
                    }
                    assertThat(fixture.sessionFiles()).as(when).isEmpty();
                    requireNothingLeft(when);
                    assertThat(origin(project)).as(when).isEqualTo(before);

                    Session next = fixture.sessions.create(SessionRequest.of(project));
                    requireUsable(next, when);
                    fixture.sessions.remove(next.id().value(), Running.REFUSE);
                });
    }

    private void requireUsable(Session session, String when) throws Exception {
        assertThat(fixture.run(session, "cat a.txt")).as(when).isEqualTo("uncommitted\n");
    }

    @Test
    void killedRemovalIsFinishedByTheNextUse() throws Exception {
        Path project = fixture.plain("project");
        afterEveryStep(
                4,
                (kill, when) -> {
                    Session session = fixture.sessions.create(SessionRequest.of(project));
                    fixture.run(session, "mkdir -p a/b/c; touch a/b/c/d");
                    CompletableFuture<Integer> running = start(session, "sleep 600");
                    kill.the("remove", session.id().value());

                    for (SessionSummary whole : fixture.sessions.list()) {
                        assertThat(whole.state()).as(when).isEqualTo(SessionState.RUNNING);
                        fixture.sessions.remove(whole.id().value(), Running.END);
                    }
                    running.join();
                    assertThat(fixture.sessionFiles()).as(when).isEmpty();
                    requireNothingLeft(when);
                });
    }

    @Test
    void killedDiscardLeavesOldOrNewAndIsFinishedByTheNext() throws Exception {
        Session session = session("a.txt");
        afterEveryStep(
                4,
                (kill, when) -> {
                    fixture.run(session, "cat a.txt; echo two > a.txt; echo new > b.txt");
                    kill.the("discard", session.id().value());

                    requireListed(session, when);
                    assertThat(changes(session))
                            .as(when)
                            .isIn(List.of(), List.of("MODIFIED a.txt", "ADDED b.txt"));
                    session.discard(List.of());
                    assertThat(changes(session)).as(when).isEmpty();
                    assertThat(
                                    SessionDirectories.in(
                                            layout(session).repo("project").resolve("gen")))
                            .as(when)
                            .hasSize(1);
                    requireNothingLeft(when);
                });
    }

    @Test
    void killedDiscardOfPathsIsFinishedByTheNext() throws Exception {
        discardOfPaths(session("a.txt", "b.txt"), 6);
    }

    @Test
    void killedDiscardWhileACommandRunsIsFinishedByTheNext() throws Exception {
        Session session = session("a.txt", "b.txt");
        CompletableFuture<Integer> running =
                start(session, "until [ -e ~/go ]; do sleep 0.05; done");
        discardOfPaths(session, 7);
        fixture.run(session, "touch ~/go");
        assertThat(running.join()).isZero();
        requireNothingLeft("in the end");
    }

    private Session session(String... names) throws Exception {
        Path project = fixture.plain("project");
        for (String name : names) {
            Files.writeString(project.resolve(name), "one\n");
        }
        return fixture.sessions.create(SessionRequest.of(project));
    }

    private void discardOfPaths(Session session, int count) throws Exception {
        List<String> paths = List.of("/workspace/project/a.txt", "/workspace/project/new");
        SessionLayout layout = layout(session);
        Path note = layout.layer("project", 1).resolve("discarding");
        afterEveryStep(
                count,
                (kill, when) -> {
                    fixture.run(
                            session, "mkdir -p new; echo two | tee a.txt b.txt new/d >/dev/null");
                    kill.the("discard", session.id() + "," + String.join(",", paths));

                    requireListed(session, when);
                    // Live, a path may also be gone for a moment.
                    assertThat(changes(session))
                            .as(when)
                            .contains("MODIFIED b.txt")
                            .isSubsetOf(
                                    "MODIFIED a.txt",
                                    "DELETED a.txt",
                                    "MODIFIED b.txt",
                                    "ADDED new",
                                    "ADDED new/d");
                    if (changes(session).size() > 1 || Files.exists(note)) {
                        session.discard(paths);
                    }
                    assertThat(changes(session)).as(when).containsExactly("MODIFIED b.txt");
                    assertThat(leftovers(layout.directory())).as(when).isEmpty();
                });
    }

    private static List<String> changes(Session session) throws Exception {
        return session.changes(List.of(), false).getFirst().changeSet().listed().stream()
                .map(change -> change.kind() + " " + change.path())
                .toList();
    }

    /** After each step: {@code ApplyHaltIT}. */
    @Test
    @Tag("LC-02")
    void applyKilledAtAnyMomentIsAllOrNothing() throws Exception {
        Session session = session("a.txt", "b.txt");
        Path project = fixture.base.resolve("project");
        SortedMap<TreePath, String> before = TreeImage.of(project);
        fixture.run(session, "echo two > a.txt; rm b.txt; mkdir d; echo new > d/new");
        session.apply(List.of(), false);
        SortedMap<TreePath, String> after = TreeImage.of(project);
        reset(session, project);
        within(
                session.planApply(List.of(), false).steps().size(),
                (kill, when) -> {
                    kill.the("apply", session.id().value());

                    requireListed(session, when);
                    assertThat(TreeImage.of(project)).as(when).isIn(before, after);
                    requireNothingLeft(when);
                    session.apply(List.of(), false);
                    assertThat(TreeImage.of(project)).as(when).isEqualTo(after);
                    reset(session, project);
                });
    }

    private void reset(Session session, Path project) throws Exception {
        Trees.delete(project, "d");
        Files.writeString(project.resolve("a.txt"), "one\n");
        Files.writeString(project.resolve("b.txt"), "one\n");
        Files.deleteIfExists(layout(session).applied());
    }

    private CompletableFuture<Integer> start(Session session, String script) throws Exception {
        CompletableFuture<Integer> exit =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return session.run(
                                        CommandRequest.of("sh", "-c", "touch ~/started; " + script)
                                                .with(new CommandRequest.Streams.Captured()))
                                .exit();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        await(() -> Files.exists(layout(session).home().resolve("started")), "it runs");
        return exit;
    }

    private SessionLayout layout(Session session) {
        return fixture.tools().layout().session(session.id().value());
    }

    private void requireListed(Session session, String when) throws Exception {
        assertThat(fixture.sessions.list())
                .as(when)
                .extracting(SessionSummary::id)
                .containsExactly(session.id());
    }

    /** No process, no mount, no lock, no file of work that is not done. */
    private void requireNothingLeft(String when) throws Exception {
        await(() -> processes().isEmpty(), when + ": no process is left");
        assertThat(leftovers(fixture.base)).as(when).isEmpty();
        for (Path lock : files(fixture.state, name -> name.endsWith(".lock"))) {
            try (Locks.Held held = Locks.tryAcquire(lock, "test").orElseThrow()) {
                assertThat(held.file()).as(when).isEqualTo(lock);
            }
        }
    }

    private static List<Path> leftovers(Path base) throws IOException {
        return files(
                base,
                name ->
                        Stream.of(
                                        ".new",
                                        ".gone",
                                        ".building-",
                                        ".removing-",
                                        ".base-building",
                                        ".carrel-",
                                        ".writing-",
                                        "apply.j",
                                        "discard",
                                        "restore-")
                                .anyMatch(name::startsWith));
    }

    private interface Name {
        boolean matches(String name);
    }

    /** But for directories that nobody may read: overlayfs makes one in each work directory. */
    private static List<Path> files(Path base, Name wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                base,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) {
                        return visitFile(directory, attributes);
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (wanted.matches(String.valueOf(file.getFileName()))) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof AccessDeniedException
                                || failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw failure;
                    }
                });
        return found;
    }

    /** Everything that has to do with the folder, of whatever kind. */
    private List<String> processes() throws Exception {
        String base = fixture.base.toString();
        List<String> found = new ArrayList<>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    String words = Files.readString(process.resolve("cmdline"));
                    if (words.contains(base)
                            || Files.readString(process.resolve("mountinfo")).contains(base)) {
                        found.add(words);
                    }
                } catch (IOException e) {
                    // It ended.
                }
            }
        }
        return found;
    }

    private interface Fact {
        boolean holds() throws Exception;
    }

    private static void await(Fact fact, String what) throws Exception {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!fact.holds()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.sleep(10);
        }
    }

    /** All of it but for the hidden reference. */
    private static SortedMap<TreePath, String> origin(Path project) {
        SortedMap<TreePath, String> image = TreeImage.of(project);
        image.keySet().removeIf(path -> path.toString().startsWith(".git/refs/carrel"));
        return image;
    }
}
