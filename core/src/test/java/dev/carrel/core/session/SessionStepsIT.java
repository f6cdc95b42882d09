package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.session.SessionRecord.Phase;
import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Work that stops after any of its steps is finished or undone by the next use.
 *
 * <p>What a later process knows of an earlier one is its number and start time, so most stops are
 * played: the steps run here, and then a process that never was takes the blame. A few are real
 * kills.
 */
class SessionStepsIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

    private static final ProcessIdentity DEAD = new ProcessIdentity(1, 1);

    private SessionFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = SessionFixture.create();
        fixture.tools().layout().create();
    }

    @AfterEach
    void remove() throws Exception {
        fixture.remove();
    }

    @Test
    void creationOfAGitSessionStoppedAfterAnyStepLeavesNothing() throws Exception {
        Path project = fixture.git("project");
        Files.writeString(project.resolve("a.txt"), "uncommitted\n");

        creationStoppedAfterAnyStepLeavesNothing(project);
    }

    @Test
    void creationOfAPlainSessionStoppedAfterAnyStepLeavesNothing() throws Exception {
        Path project = fixture.plain("project");
        Files.writeString(project.resolve("a.txt"), "uncommitted\n");

        creationStoppedAfterAnyStepLeavesNothing(project);
    }

    private void creationStoppedAfterAnyStepLeavesNothing(Path project) throws Exception {
        SortedMap<TreePath, String> before = origin(project);
        int count = plan(project).steps().size();
        for (int stop = 0; stop < count; stop++) {
            SessionPlan plan = plan(project);
            run(plan.steps(), stop);
            blameTheDead(new Phase.Preparing(DEAD));

            assertThat(fixture.sessions.list()).as("after step %d", stop).isEmpty();
            assertThat(fixture.sessionFiles()).as("after step %d", stop).isEmpty();
            assertThat(origin(project)).isEqualTo(before);
        }
        usableAgain(project, "uncommitted\n");
    }

    @Test
    void killedCreationLeavesNothing() throws Exception {
        Path project = fixture.git("project");
        SortedMap<TreePath, String> before = origin(project);
        int count = plan(project).steps().size();
        for (int stop : List.of(1, count / 2, count - 1)) {
            kill("create", project.toString(), stop);
            assertThat(fixture.sessionFiles()).as("after step %d", stop).isNotEmpty();

            assertThat(fixture.sessions.list()).as("after step %d", stop).isEmpty();
            assertThat(fixture.sessionFiles()).as("after step %d", stop).isEmpty();
        }
        assertThat(origin(project)).isEqualTo(before);
        usableAgain(project, "one\n");
    }

    @Test
    void directoryOfAKilledClaimIsDeleted() throws Exception {
        Path half = fixture.state.resolve("sessions/.new1.1.1.calm-owl");
        Files.createDirectories(half.resolve("repos"));
        Path living =
                fixture.state.resolve(
                        "sessions/"
                                + SessionFiles.Leftovers.name("new", new SessionId("calm-elk")));
        Files.createDirectory(living);

        assertThat(fixture.sessions.list()).isEmpty();

        assertThat(half).doesNotExist();
        assertThat(living).isEmptyDirectory();
    }

    @Test
    void failedCreationNeverTouchesAnotherSessionOfItsId() throws Exception {
        Path project = fixture.plain("project");
        Session session = fixture.sessions.create(SessionRequest.of(project));
        SessionRecord other = plan(project).record();
        SessionRecord same = fixture.record(session);
        SessionRecord twin =
                new SessionRecord(
                        same.id(),
                        other.name(),
                        other.created(),
                        other.token(),
                        other.identity(),
                        other.policy(),
                        other.tools(),
                        other.repos(),
                        other.mounts(),
                        other.phase());

        List<Step> removal = new SessionRemoval(fixture.tools()).steps(twin, Running.END);
        run(removal, removal.size());

        assertThat(fixture.record(session)).isEqualTo(same);
        assertThat(fixture.run(session, "echo alive")).isEqualTo("alive\n");
    }

    @Test
    void listingShowsASessionThatIsBeingMadeAsBusy() throws Exception {
        Path project = fixture.plain("project");
        SessionPlan plan = plan(project);
        for (Step step : plan.steps().subList(0, plan.steps().size() - 1)) {
            step.run();
            assertThat(fixture.sessions.list())
                    .extracting(SessionSummary::state)
                    .as("after %s", step.name())
                    .containsExactly(SessionState.BUSY);
        }
        assertThat(fixture.notices).isEmpty();
        plan.steps().getLast().run();
        assertThat(fixture.sessions.list())
                .extracting(SessionSummary::state)
                .containsExactly(SessionState.STOPPED);
    }

    @Test
    void removalStoppedAfterAnyStepIsFinishedByTheNextUse() throws Exception {
        Path project = fixture.plain("project");
        int count = 4;
        for (int stop = 1; stop <= count; stop++) {
            Session session = fixture.sessions.create(SessionRequest.of(project));
            fixture.run(session, "echo mine > written");
            List<Step> steps =
                    new SessionRemoval(fixture.tools()).steps(fixture.record(session), Running.END);
            assertThat(steps).hasSize(count);
            run(steps, stop);
            blameTheDead(new Phase.Removing(DEAD));

            assertThat(fixture.sessions.list()).as("after step %d", stop).isEmpty();
            assertThat(fixture.sessionFiles()).as("after step %d", stop).isEmpty();
        }
    }

    @Test
    void killedRemovalIsFinishedByTheNextUse() throws Exception {
        Path project = fixture.plain("project");
        for (int stop : List.of(1, 2)) {
            Session session = fixture.sessions.create(SessionRequest.of(project));
            kill("remove", session.id().value(), stop);
            assertThat(fixture.sessionFiles()).hasSize(1);

            assertThat(fixture.sessions.list()).as("after step %d", stop).isEmpty();
            assertThat(fixture.sessionFiles()).as("after step %d", stop).isEmpty();
        }
    }

    @Test
    void wholeDiscardStoppedAfterAnyStepIsFinishedByTheNext() throws Exception {
        Path project = fixture.plain("project");
        Files.writeString(project.resolve("a.txt"), "one\n");
        Session session = fixture.sessions.create(SessionRequest.of(project));
        int count = discard(session, List.of()).size();
        for (int stop = 0; stop <= count; stop++) {
            fixture.run(session, "echo two > a.txt; echo new > b.txt; echo kept > ~/kept");
            run(discard(session, List.of()), stop);

            session.discard(List.of());

            assertThat(fixture.run(session, "cat a.txt; ls; cat ~/kept"))
                    .as("after step %d", stop)
                    .isEqualTo("one\na.txt\nkept\n");
            SessionLayout layout = fixture.tools().layout().session(session.id().value());
            assertThat(SessionDirectories.in(layout.layer("project", 1).resolveSibling(".")))
                    .hasSize(1);
        }
    }

    @Test
    void discardOfPathsStoppedAfterAnyStepIsFinishedByTheNext() throws Exception {
        Path project = fixture.plain("project");
        for (String name : List.of("a.txt", "b.txt", "c.txt")) {
            Files.writeString(project.resolve(name), "one\n");
        }
        Session session = fixture.sessions.create(SessionRequest.of(project));
        List<String> paths = List.of("a.txt", "b.txt");
        int count = discard(session, paths).size();
        for (int stop = 0; stop <= count; stop++) {
            fixture.run(session, "echo two > a.txt; rm b.txt; echo two > c.txt");
            run(discard(session, paths), stop);

            session.discard(paths);

            assertThat(fixture.run(session, "cat a.txt b.txt c.txt"))
                    .as("after step %d", stop)
                    .isEqualTo("one\none\ntwo\n");
        }
    }

    @Test
    void applyStoppedAfterAnyStepIsNeverHalf() throws Exception {
        Path project = fixture.git("project");
        SortedMap<TreePath, String> before = work(project);
        Session session = changedSession(project);
        SortedMap<TreePath, String> after = applied(session, project);
        int count = session.planApply(List.of(), false).steps().size();
        for (int stop = 0; stop <= count; stop++) {
            run(session.planApply(List.of(), false).steps(), stop);

            fixture.sessions.find(session.id().value());

            assertThat(work(project)).as("after step %d", stop).isIn(before, after);
            assertJournalIsGone(session);
            reset(session, project);
        }
    }

    @Test
    void killedApplyIsNeverHalf() throws Exception {
        Path project = fixture.git("project");
        SortedMap<TreePath, String> before = work(project);
        Session session = changedSession(project);
        SortedMap<TreePath, String> after = applied(session, project);
        int count = session.planApply(List.of(), false).steps().size();
        for (int stop : List.of(count / 2, count - 3)) {
            kill("apply", session.id().value(), stop);

            fixture.sessions.find(session.id().value());

            assertThat(work(project)).as("after step %d", stop).isIn(before, after);
            assertJournalIsGone(session);
            reset(session, project);
        }
    }

    private Session changedSession(Path project) throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        fixture.run(session, "echo two > a.txt; mkdir d; echo new > d/new; rm .gitignore");
        return session;
    }

    /** What the checkout looks like once all is applied; it is as before afterwards. */
    private SortedMap<TreePath, String> applied(Session session, Path project) throws Exception {
        session.apply(List.of(), false);
        SortedMap<TreePath, String> after = work(project);
        reset(session, project);
        return after;
    }

    private void reset(Session session, Path project) throws Exception {
        fixture.git(project, "checkout", "-q", "-f", "HEAD", "--", ".");
        fixture.git(project, "clean", "-q", "-f", "-d", "-x");
        Files.deleteIfExists(layout(session).applied());
    }

    private void assertJournalIsGone(Session session) {
        assertThat(
                        layout(session)
                                .directory()
                                .toFile()
                                .list((_, name) -> name.startsWith("apply.j")))
                .isEmpty();
    }

    private SessionLayout layout(Session session) {
        return fixture.tools().layout().session(session.id().value());
    }

    private SessionPlan plan(Path project) throws Exception {
        return new SessionPlanner(fixture.tools()).plan(SessionRequest.of(project));
    }

    private List<Step> discard(Session session, List<String> paths) throws Exception {
        SessionRecord record = fixture.record(session);
        return new SessionDiscard(
                        fixture.tools(),
                        layout(session),
                        record,
                        SessionCommands.runtime(fixture.tools(), layout(session), record))
                .steps(paths.stream().map(path -> "/workspace/project/" + path).toList());
    }

    private static void run(List<Step> steps, int count) throws InterruptedException {
        for (Step step : steps.subList(0, count)) {
            step.run();
        }
    }

    /** What this process was doing was done by one that is gone. */
    private void blameTheDead(Phase phase) throws Exception {
        ProcessIdentity self = ProcessIdentity.current();
        String mine = "." + self.pid() + "." + self.startTime() + ".";
        for (Path entry : SessionDirectories.in(fixture.state.resolve("sessions"))) {
            String name = entry.getFileName().toString();
            if (name.startsWith(".")) {
                String dead = "." + DEAD.pid() + "." + DEAD.startTime() + ".";
                Files.move(entry, entry.resolveSibling(name.replace(mine, dead)));
            } else {
                new SessionFiles(
                                new SessionLayout(entry),
                                SessionFormat.read(entry.resolve("session.json")).identity())
                        .write(SessionFormat.read(entry.resolve("session.json")).in(phase));
            }
        }
    }

    private void kill(String work, String subject, int steps) throws Exception {
        Process child =
                ChildJvm.start(
                        FaultMain.class,
                        work,
                        fixture.base.toString(),
                        Requirements.bwrap().toString(),
                        subject,
                        Integer.toString(steps));
        String output = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertThat(child.waitFor()).as(output).isEqualTo(FaultMain.KILLED);
    }

    private void usableAgain(Path project, String content) throws Exception {
        Session session = fixture.sessions.create(SessionRequest.of(project));
        assertThat(fixture.run(session, "cat a.txt")).isEqualTo(content);
    }

    /** All of it but for the hidden reference. */
    private static SortedMap<TreePath, String> origin(Path project) {
        SortedMap<TreePath, String> image = TreeImage.of(project);
        image.keySet().removeIf(path -> path.toString().startsWith(".git/refs/carrel"));
        return image;
    }

    /** The checkout without git's own directory. */
    private static SortedMap<TreePath, String> work(Path project) {
        SortedMap<TreePath, String> image = TreeImage.of(project);
        image.keySet().removeIf(path -> path.toString().startsWith(".git/"));
        return image;
    }
}
