package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.testing.Requirements;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands as a program that embeds the library runs them. */
class SessionCommandIT {

    private static SessionFixture fixture;
    private static Session session;

    @BeforeAll
    static void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        session = session("app");
    }

    private static Session session(String name) throws Exception {
        return fixture.sessions.create(SessionRequest.of(fixture.plain(name)));
    }

    @AfterAll
    static void end() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    private static CommandRequest shell(String script) {
        return CommandRequest.of("sh", "-c", script).with(new CommandRequest.Streams.Piped());
    }

    @Test
    void aProgramTalksWithACommandWhileItRuns() throws Exception {
        SessionCommand command =
                session.start(shell("while read -r l; do echo \"<$l>\"; done; echo end >&2"));
        var answers =
                new java.io.BufferedReader(new java.io.InputStreamReader(command.output(), UTF_8));
        OutputStream input = command.input();
        for (String word : List.of("one", "two")) {
            input.write((word + "\n").getBytes(UTF_8));
            input.flush();
            assertThat(answers.readLine()).isEqualTo("<" + word + ">");
        }
        input.close();
        assertThat(new String(command.error().readAllBytes(), UTF_8)).isEqualTo("end\n");
        CommandResult result = command.await();
        assertThat(result.exit()).isZero();
        assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
    }

    private static CommandResult run(CommandRequest request) throws InterruptedException {
        return session.run(request.with(new CommandRequest.Streams.Captured()));
    }

    @Test
    void aProgramStartsTheSameWhetherAShellTriesItOrNot() throws Exception {
        KeptRunning kept = session.keepRunning();
        fixture.run(session, "cp /usr/bin/env env; echo text > plain; mkdir -p ~/bin");
        CommandResult certain = run(CommandRequest.of("/usr/bin/env"));
        CommandResult tried = run(CommandRequest.of("./env"));
        assertThat(session.explain(CommandRequest.of("env")))
                .noneMatch(SessionCommandIT::asksShell);
        assertThat(session.explain(CommandRequest.of("./env")))
                .anyMatch(SessionCommandIT::asksShell);
        assertThat(certain.outputText()).contains("CARREL_SESSION=");
        assertThat(lines(tried.outputText())).isEqualTo(lines(certain.outputText()));
        assertThat(run(CommandRequest.of("no-such-program")).exit()).isEqualTo(127);
        assertThat(run(CommandRequest.of("/usr/bin/no-such-program")).exit()).isEqualTo(127);
        assertThat(run(CommandRequest.of("./plain")).exit()).isEqualTo(126);
        assertThat(run(CommandRequest.of("/usr/bin")).exit()).isEqualTo(126);
        kept.close();
    }

    @Test
    void aProgramOfTheSessionComesFirstWhereThePathSaysSo() throws Exception {
        Map<String, String> path = Map.of("PATH", "/home/agent/bin:/usr/bin");
        CommandRequest request =
                new CommandRequest(
                        List.of("true"),
                        path,
                        Optional.empty(),
                        new CommandRequest.Streams.Captured());
        assertThat(session.run(request).exit()).isZero();
        fixture.run(
                session,
                "mkdir -p ~/bin; printf '#!/bin/sh\\nexit 7\\n' > ~/bin/true; chmod +x ~/bin/true");
        assertThat(session.run(request).exit()).isEqualTo(7);
    }

    private static boolean asksShell(String line) {
        return line.contains(" -- /bin/sh -c 'exec ");
    }

    private static List<String> lines(String text) {
        return text.lines().sorted().toList();
    }

    @Test
    @Tag("SG-04")
    void aCommandThatHasNoTimeLeftIsEndedWithEverythingItStarted() throws Exception {
        CommandResult result =
                session.run(
                        CommandRequest.of("sh", "-c", "trap '' TERM; setsid sleep 300 & sleep 300")
                                .with(new CommandRequest.Streams.Captured())
                                .within(Duration.ofMillis(300)));

        assertThat(result.ending()).isEqualTo(new Ending.TimedOut(Duration.ofMillis(300)));
        assertThat(result.exit()).isEqualTo(124);
        assertThat(session.summary().state()).isEqualTo(SessionState.STOPPED);
        assertThat(
                        session.run(
                                        CommandRequest.of("true")
                                                .with(new CommandRequest.Streams.Captured())
                                                .within(Duration.ofSeconds(60)))
                                .ending())
                .isEqualTo(new Ending.Exited(0));
    }

    @Test
    void anyThreadCancelsACommand() throws Exception {
        SessionCommand command = session.start(shell("echo up; sleep 300"));
        assertThat(command.output().read()).isEqualTo('u');
        Thread other = Thread.ofVirtual().start(command::cancel);
        CommandResult result = command.await();
        other.join();
        assertThat(result.ending()).isEqualTo(new Ending.Cancelled());
        assertThat(result.exit()).isEqualTo(137);
        command.cancel();
    }

    @Test
    void whatIsKeptRunningKeepsItsNetworkAndIsNoObstacle() throws Exception {
        Session session = session("kept");
        String own = "readlink /proc/self/ns/net";
        KeptRunning kept = session.keepRunning();
        String first = fixture.run(session, own);
        assertThat(fixture.run(session, own)).isEqualTo(first);

        fixture.run(session, "echo x > new");
        assertThat(session.discard(List.of())).isNotNull();
        assertThat(session.changes(List.of(), false).getFirst().changeSet().changes()).isEmpty();
        assertThat(fixture.run(session, "ls")).isEmpty();
        fixture.sessions.remove(session.id().value(), Sessions.Running.REFUSE);
        kept.close();
        assertThat(fixture.sessions.ids()).doesNotContain(session.id().value());
    }

    @Test
    void closingTheSessionsEndsWhatTheyStarted() throws Exception {
        List<SessionEvent> events = new ArrayList<>();
        Sessions own = Sessions.open(fixture.settings, events::add);
        Session same = own.find(session.id().value());
        same.keepRunning();
        SessionCommand command = same.start(shell("echo up; sleep 300"));
        assertThat(command.output().read()).isEqualTo('u');

        own.close();
        assertThat(command.await().ending()).isEqualTo(new Ending.Cancelled());
        assertThatThrownBy(() -> same.run(CommandRequest.of("true")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(own::list).isInstanceOf(IllegalStateException.class);
        own.close();
        assertThat(events)
                .anySatisfy(
                        event -> assertThat(event).isInstanceOf(SessionEvent.CommandStarted.class))
                .anySatisfy(
                        event -> assertThat(event).isInstanceOf(SessionEvent.CommandEnded.class));
        // The control: the session itself is as it was, for others.
        assertThat(
                        session.run(
                                        CommandRequest.of("true")
                                                .with(new CommandRequest.Streams.Captured()))
                                .exit())
                .isZero();
    }

    @Test
    void eventsTellTheLifeOfASession() throws Exception {
        List<SessionEvent> events = new ArrayList<>();
        try (Sessions own = Sessions.open(fixture.settings, events::add)) {
            Session made = own.create(SessionRequest.of(fixture.plain("other")));
            made.run(CommandRequest.of("touch", "x").with(new CommandRequest.Streams.Captured()));
            made.apply(List.of(), false);
            made.discard(List.of());
            own.remove(made.id().value(), Sessions.Running.REFUSE);
            assertThat(
                            events.stream()
                                    .filter(event ->
                                            !(event instanceof SessionEvent.Progress)
                                                    && !(event instanceof SessionEvent.Notice))
                                    .map(event -> event.getClass().getSimpleName()))
                    .containsExactly(
                            "Created",
                            "CommandStarted",
                            "CommandEnded",
                            "Applied",
                            "Discarded",
                            "Removed");
        }
    }
}
