package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.testing.DoomedJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.SeenProcesses;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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

    private static final String CHANGE =
            "mkdir -p new; for f in a.txt b.txt new/d; do echo two > $f; done";
    private static final List<String> CHANGES =
            List.of("MODIFIED a.txt", "MODIFIED b.txt", "ADDED new/d");

    private final DoomedJvm doomed = new DoomedJvm(FaultMain.class);
    private final Random random = new Random(20_262);
    private SessionFixture fixture;
    private int copies;

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
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

    /** Makes one more of what is worked on, as it should be before. */
    private interface Subjects {
        String next() throws Exception;
    }

    /**
     * Kills the work on one subject after no step, on the next after one, and so on, and on some
     * within a step.
     *
     * @return the subjects, and when the work on each was killed
     */
    private Map<String, String> killAfterEveryStep(String work, int count, Subjects subjects)
            throws Exception {
        Map<String, String> killed = new LinkedHashMap<>();
        List<List<String>> works = new ArrayList<>();
        for (int after = 0; after <= count; after++) {
            String subject = subjects.next();
            killed.put(subject, "killed after step " + after);
            works.add(words(work, subject, after, true));
        }
        killWithin(work, count, subjects, works, killed);
        return killed;
    }

    private void killWithin(
            String work,
            int count,
            Subjects subjects,
            List<List<String>> others,
            Map<String, String> killed)
            throws Exception {
        List<List<String>> works = new ArrayList<>(others);
        for (int i = 0; i < MIDDLES; i++) {
            int after = random.nextInt(count);
            int delay = random.nextInt(LONGEST_MICROSECONDS);
            String subject = subjects.next();
            killed.put(subject, "killed " + delay + " microseconds after step " + after);
            works.add(words(work, subject, after, false));
            doomed.killAfter(delay, works);
            works.clear();
        }
    }

    private List<String> words(String work, String subject, int steps, boolean stay) {
        return List.of(
                work,
                fixture.base.toString(),
                Requirements.bwrap().toString(),
                subject,
                Integer.toString(steps),
                Boolean.toString(stay));
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
        Map<String, String> killed =
                killAfterEveryStep("create", plan.steps().size(), () -> copy(project));

        // At least the one that was killed after its last step.
        assertThat(fixture.sessions.list()).hasSizeBetween(1, 1 + MIDDLES);
        for (SessionSummary whole : fixture.sessions.list()) {
            Session session = fixture.sessions.find(whole.id().value());
            assertThat(fixture.run(session, "cat a.txt")).isEqualTo("uncommitted\n");
            fixture.sessions.remove(whole.id().value(), Running.REFUSE);
        }
        assertThat(fixture.sessionFiles()).isEmpty();
        requireNothingLeft();
        for (Map.Entry<String, String> each : killed.entrySet()) {
            Path copy = Path.of(each.getKey());
            assertThat(origin(copy)).as(each.getValue()).isEqualTo(before);
            Session next = fixture.sessions.create(SessionRequest.of(copy));
            assertThat(shown(next, "a.txt")).as(each.getValue()).isEqualTo("uncommitted\n");
            fixture.sessions.remove(next.id().value(), Running.REFUSE);
        }
        requireNothingLeft();
    }

    private String copy(Path project) throws Exception {
        Path copy = fixture.base.resolve("copy" + ++copies);
        fixture.shell("cp -a " + project + " " + copy);
        return copy.toString();
    }

    /** What an overlay shows of the session's layers. */
    private String shown(Session session, String name) throws Exception {
        RepoRecord repo = fixture.record(session).repos().getFirst();
        for (Path layer : repo.base().lowers()) {
            if (Files.exists(layer.resolve(name))) {
                return Files.readString(layer.resolve(name));
            }
        }
        return "";
    }

    @Test
    void killedRemovalIsFinishedByTheNextUse() throws Exception {
        Path project = fixture.plain("project");
        List<CompletableFuture<Integer>> running = new ArrayList<>();
        Map<String, String> killed =
                killAfterEveryStep(
                        "remove",
                        4,
                        () -> {
                            Session session = fixture.sessions.create(SessionRequest.of(project));
                            running.add(
                                    start(session, "mkdir -p a/b/c; touch a/b/c/d", "sleep 600"));
                            return session.id().value();
                        });

        // At least the one that was killed before its first step.
        assertThat(fixture.sessions.list()).hasSizeBetween(1, 1 + MIDDLES);
        for (SessionSummary whole : fixture.sessions.list()) {
            String id = whole.id().value();
            assertThat(whole.state()).as(killed.get(id)).isEqualTo(SessionState.RUNNING);
            fixture.sessions.remove(id, Running.END);
        }
        for (CompletableFuture<Integer> each : running) {
            each.join();
        }
        assertThat(fixture.sessionFiles()).isEmpty();
        requireNothingLeft();
    }

    @Test
    void killedDiscardsAreFinishedByTheNext() throws Exception {
        Path project = project();
        Set<String> sessions =
                killedDiscardsOfPaths(
                        6,
                        () -> {
                            Session session = fixture.sessions.create(SessionRequest.of(project));
                            fixture.run(session, CHANGE);
                            return session;
                        });
        Iterator<String> again = sessions.iterator();
        Map<String, String> killed =
                killAfterEveryStep(
                        "discard",
                        4,
                        () -> {
                            Session session = fixture.sessions.find(again.next());
                            assertThat(fixture.run(session, "cat a.txt b.txt; " + CHANGE))
                                    .isEqualTo("one\ntwo\n");
                            return session.id().value();
                        });
        for (Map.Entry<String, String> each : killed.entrySet()) {
            Session session = fixture.sessions.find(each.getKey());
            String when = each.getValue();
            assertThat(changes(session)).as(when).isIn(List.of(), CHANGES);
            session.discard(List.of());
            assertThat(changes(session)).as(when).isEmpty();
            assertThat(SessionDirectories.in(layout(session).repo("project").resolve("gen")))
                    .as(when)
                    .hasSize(1);
            assertThat(fixture.run(session, "cat a.txt b.txt")).as(when).isEqualTo("one\none\n");
        }
        requireNothingLeft();
    }

    @Test
    void killedDiscardsWhileACommandRunsAreFinishedByTheNext() throws Exception {
        Path project = project();
        List<CompletableFuture<Integer>> running = new ArrayList<>();
        Set<String> sessions =
                killedDiscardsOfPaths(
                        7,
                        () -> {
                            Session session = fixture.sessions.create(SessionRequest.of(project));
                            running.add(start(session, CHANGE + "; mkfifo ~/go", "read go < ~/go"));
                            return session;
                        });
        for (String id : sessions) {
            Path go = layout(fixture.sessions.find(id)).home().resolve("go");
            Files.writeString(go, "go\n");
        }
        for (CompletableFuture<Integer> each : running) {
            assertThat(each.join()).isZero();
        }
        requireNothingLeft();
    }

    private Path project() throws Exception {
        Path project = fixture.plain("project");
        Files.writeString(project.resolve("a.txt"), "one\n");
        Files.writeString(project.resolve("b.txt"), "one\n");
        return project;
    }

    private interface Changed {
        Session next() throws Exception;
    }

    /** Gives back the sessions, in which only the other change is left. */
    private Set<String> killedDiscardsOfPaths(int count, Changed changed) throws Exception {
        Map<String, String> killed =
                killAfterEveryStep("discard paths", count, () -> changed.next().id().value());
        assertThat(fixture.sessions.list())
                .extracting(summary -> summary.id().value())
                .containsExactlyInAnyOrderElementsOf(killed.keySet());
        for (Map.Entry<String, String> each : killed.entrySet()) {
            String when = each.getValue();
            Session session = fixture.sessions.find(each.getKey());
            Path note = layout(session).layer("project", 1).resolve("discarding");
            // Live, a path may also be gone for a moment.
            assertThat(changes(session))
                    .as(when)
                    .contains("MODIFIED b.txt")
                    .isSubsetOf(
                            Stream.concat(CHANGES.stream(), Stream.of("DELETED a.txt", "ADDED new"))
                                    .toList());
            if (changes(session).size() > 1 || Files.exists(note)) {
                session.discard(FaultMain.PATHS);
            }
            assertThat(changes(session)).as(when).containsExactly("MODIFIED b.txt");
            assertThat(leftovers(layout(session).directory())).as(when).isEmpty();
        }
        return killed.keySet();
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
        Path template = project();
        Session first = unapplied(template);
        Path project = target(first);
        SortedMap<TreePath, String> before = TreeImage.of(project);
        int count = first.planApply(List.of(), false).steps().size();
        first.apply(List.of(), false);
        SortedMap<TreePath, String> after = TreeImage.of(project);
        assertThat(after).isNotEqualTo(before);
        Map<String, String> killed = new LinkedHashMap<>();
        killWithin("apply", count, () -> unapplied(template).id().value(), List.of(), killed);

        assertThat(fixture.sessions.list()).hasSize(1 + MIDDLES);
        for (Map.Entry<String, String> each : killed.entrySet()) {
            String when = each.getValue();
            Session session = fixture.sessions.find(each.getKey());
            Path target = target(session);
            assertThat(TreeImage.of(target)).as(when).isIn(before, after);
            session.apply(List.of(), false);
            assertThat(TreeImage.of(target)).as(when).isEqualTo(after);
        }
        requireNothingLeft();
    }

    private Path target(Session session) {
        return fixture.record(session).repos().getFirst().root();
    }

    /** A session with a project of its own to apply to. */
    private Session unapplied(Path template) throws Exception {
        Path project = Path.of(copy(template));
        Session session = fixture.sessions.create(SessionRequest.of(project));
        fixture.run(session, CHANGE + "; rm b.txt");
        return session;
    }

    /** Runs the second script, once the first is done. */
    private CompletableFuture<Integer> start(Session session, String first, String second)
            throws Exception {
        String script = first + "; touch ~/started; " + second;
        CompletableFuture<Integer> exit =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return session.run(
                                        CommandRequest.of("sh", "-c", script)
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

    /** No process, no mount, no lock, no file of work that is not done. */
    private void requireNothingLeft() throws Exception {
        String base = fixture.base.toString();
        await(() -> SeenProcesses.with(base).isEmpty(), "no process is left");
        assertThat(leftovers(fixture.base)).isEmpty();
        for (Path lock : files(fixture.state, name -> name.endsWith(".lock"))) {
            try (Locks.Held held = Locks.tryAcquire(lock, "test").orElseThrow()) {
                assertThat(held.file()).isEqualTo(lock);
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
