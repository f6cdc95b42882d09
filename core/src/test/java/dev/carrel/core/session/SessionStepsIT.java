package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.Sessions.Running;
import dev.carrel.core.store.Step;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What creation and removal do step by step; kills are in {@link SessionKillsIT}. */
class SessionStepsIT {

    @BeforeAll
    static void needsBubblewrap() {
        Requirements.bwrap();
    }

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

    private SessionPlan plan(Path project) throws Exception {
        return new SessionPlanner(fixture.tools()).plan(SessionRequest.of(project));
    }

    private static void run(List<Step> steps, int count) throws InterruptedException {
        for (Step step : steps.subList(0, count)) {
            step.run();
        }
    }
}
