package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.limits.LimitKeepers;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.testing.Requirements;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What commands may use of the machine, by each mechanism that it has. */
class SessionLimitsIT {

    private static final long MIB = 1L << 20;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Takes so many MiB, slowly enough for a watch to see it grow. */
    private static final String FILL =
            "perl -e 'for (1..$ARGV[0]) { push @a, q(x) x 1048576; select(undef,undef,undef,0.003) }"
                    + " print qq(all\\n)' ";

    /** Starts so many processes; fails where one of them was refused. */
    private static final String FORK =
            "perl -e 'for (1..$ARGV[0]) { $p = fork; $refused = 1, last unless defined $p;"
                    + " unless ($p) { sleep 1; exit } } select(undef,undef,undef,0.6); exit($refused ? 3 : 0)' ";

    @TempDir private Path nowhere;
    private SessionFixture fixture;
    private Path app;

    enum Held {
        BY_GROUPS,
        BY_RESOURCE_LIMITS
    }

    @BeforeEach
    void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        app = fixture.plain("app");
    }

    @AfterEach
    void end() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    private Session session(Held held, ResourceLimits limits) throws Exception {
        Sessions sessions =
                held == Held.BY_GROUPS
                        ? fixture.sessions
                        : Sessions.open(
                                fixture.settings, _ -> {}, LimitKeepers.withoutGroups(nowhere));
        SessionRequest usual = SessionRequest.of(app);
        Session session =
                sessions.create(
                        new SessionRequest(
                                usual.repos(),
                                usual.name(),
                                SandboxPolicy.DEFAULT.with(limits),
                                usual.uncommitted(),
                                usual.include(),
                                usual.mounts()));
        if (held == Held.BY_GROUPS) {
            Requirements.that(
                    new LimitKeeper()
                            .find(limits(64))
                            .holding()
                            .filter(name -> name.contains("cgroup"))
                            .isPresent(),
                    "needs a control group of this user's own");
        }
        return session;
    }

    private static ResourceLimits limits(long mebibytes) {
        return ResourceLimits.DEFAULT.withMemory(mebibytes * MIB);
    }

    private static CommandResult run(Session session, String script, ResourceLimits limits)
            throws Exception {
        return session.run(
                CommandRequest.of("sh", "-c", script)
                        .with(new CommandRequest.Streams.Captured())
                        .with(limits.within(LONG)));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-02")
    void oneProcessGetsNoMoreMemoryThanTheCommandMayUse(Held held) throws Exception {
        Session session = session(held, ResourceLimits.DEFAULT);

        CommandResult result = run(session, FILL + 300, limits(64));
        assertThat(result.ending()).isEqualTo(new Ending.OutOfMemory(64 * MIB));
        assertThat(result.outputText()).isEmpty();
        assertThat(result.usage().peakMemory().orElseThrow()).isBetween(48 * MIB, 100 * MIB);

        CommandResult control = run(session, FILL + 30, limits(200));
        assertThat(control.ending()).isEqualTo(new Ending.Exited(0));
        assertThat(control.usage().peakMemory().orElseThrow()).isGreaterThan(25 * MIB);
        assertThat(control.limitedBy())
                .contains(held == Held.BY_GROUPS ? "cgroup" : "rlimits and watchdog");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-02")
    void manySmallProcessesAreCountedTogether(Held held) throws Exception {
        Session session = session(held, ResourceLimits.DEFAULT);
        String eight = "for i in 1 2 3 4 5 6 7 8; do (" + FILL + "30; sleep 0.5) & done; wait $!";

        assertThat(run(session, eight + " && exit 3", limits(100)).ending())
                .isEqualTo(new Ending.OutOfMemory(100 * MIB));
        assertThat(run(session, eight, limits(900)).ending()).isEqualTo(new Ending.Exited(0));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-01")
    void aCommandStartsNoMoreProcessesThanItMayAndTheOthersAreNoneOfItsOwn(Held held)
            throws Exception {
        Session session = session(held, ResourceLimits.DEFAULT);
        ResourceLimits twenty = ResourceLimits.NONE.withPids(20);

        SessionCommand storm =
                session.start(
                        CommandRequest.of("sh", "-c", FORK + 100)
                                .with(new CommandRequest.Streams.Captured())
                                .with(twenty));
        assertThat(run(session, FORK + 15, twenty).ending()).isEqualTo(new Ending.Exited(0));
        CommandResult result = storm.await();
        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.ending()).isEqualTo(new Ending.TooManyProcesses(20));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-12")
    @Tag("SG-04")
    @Tag("SG-05")
    void afterItsTimeNothingOfAForkStormRuns(Held held) throws Exception {
        Session session = session(held, ResourceLimits.DEFAULT);
        String storm =
                "trap '' TERM; f() { f | f & }; setsid sh -c 'kill -STOP $$' & f 2>/dev/null; sleep 100";
        Duration time = Duration.ofMillis(500);

        CommandResult result =
                session.run(
                        CommandRequest.of("sh", "-c", storm)
                                .with(new CommandRequest.Streams.Captured())
                                .with(ResourceLimits.NONE.withPids(40).within(time)));
        assertThat(result.ending()).isEqualTo(new Ending.TimedOut(time));
        assertThat(result.exit()).isEqualTo(124);
        assertThat(result.duration())
                .isLessThan(time.plus(Supervision.GRACE).plus(Duration.ofSeconds(2)));
        assertThat(session.summary().state()).isEqualTo(SessionState.STOPPED);
        assertThat(run(session, "echo usable", ResourceLimits.NONE).outputText())
                .isEqualTo("usable\n");
    }

    @Test
    @Tag("RS-04")
    void filesInMemoryCountAsMemory() throws Exception {
        Session session = session(Held.BY_GROUPS, ResourceLimits.DEFAULT);
        String fill = "head -c 100m /dev/zero >/dev/shm/x";

        assertThat(run(session, fill + "; exit 3", limits(64)).ending())
                .isEqualTo(new Ending.OutOfMemory(64 * MIB));
        assertThat(run(session, fill, limits(300)).ending()).isEqualTo(new Ending.Exited(0));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-14")
    void whatIsForkedTwiceLeavesNoZombies(Held held) throws Exception {
        Session session = session(held, ResourceLimits.DEFAULT);
        String script =
                "i=0; while [ $i -lt 150 ]; do (true &); i=$((i+1)); done; sleep 0.2;"
                        + " grep -l '^State:.Z' /proc/[0-9]*/status | wc -l";

        CommandResult result = run(session, script, ResourceLimits.NONE.withPids(100));
        assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
        assertThat(result.outputText()).isEqualTo("0\n");
        assertThat(result.usage().peakMemory().orElseThrow()).isPositive();
        assertThat(result.usage().cpu().orElseThrow()).isPositive();
    }

    @Test
    @Tag("RS-11")
    @Tag("LC-10")
    void processorsAreHeldByGroupsAndRefusedWithoutThem() throws Exception {
        ResourceLimits fifth =
                ResourceLimits.DEFAULT.overriddenBy(
                        new ResourceLimits(
                                OptionalLong.empty(),
                                OptionalInt.empty(),
                                Optional.of(new BigDecimal("0.2")),
                                Optional.empty(),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                false));
        Session session = session(Held.BY_GROUPS, ResourceLimits.DEFAULT);
        String busy = "perl -e '$e = time + 2; 1 while time < $e'";

        CommandResult result = run(session, busy, fifth);
        assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
        assertThat(result.usage().cpu().orElseThrow())
                .isBetween(Duration.ofMillis(20), result.duration().dividedBy(5).plusMillis(150));

        assertThatThrownBy(() -> session(Held.BY_RESOURCE_LIMITS, fifth))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("limits.cpus")
                .hasMessageContaining("resource limits cannot hold");
        assertThat(fixture.sessionFiles()).hasSize(1);
    }

    @Test
    @Tag("LC-10")
    void groupsCanBeRequired() throws Exception {
        ResourceLimits required =
                new ResourceLimits(
                        OptionalLong.of(64 * MIB),
                        OptionalInt.of(100),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        true);
        assertThatThrownBy(() -> session(Held.BY_RESOURCE_LIMITS, required))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("limits.require: cgroup");
        assertThat(run(session(Held.BY_GROUPS, required), "true", ResourceLimits.NONE).ending())
                .isEqualTo(new Ending.Exited(0));
    }

    @Test
    void allCommandsOfASessionTogetherGetNoMoreThanTheSession() throws Exception {
        Session session = session(Held.BY_GROUPS, limits(96));
        String script = FILL + "70; sleep 1";

        SessionCommand first =
                session.start(
                        CommandRequest.of("sh", "-c", script)
                                .with(new CommandRequest.Streams.Captured()));
        CommandResult second = run(session, script, ResourceLimits.NONE);
        assertThat(List.of(first.await().outputText(), second.outputText())).contains("");
        assertThat(run(session, FILL + "70", ResourceLimits.NONE).outputText()).isEqualTo("all\n");
        assertThatThrownBy(() -> run(session, "true", limits(200)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("all of its session may use");
    }

    @Test
    @Tag("RS-10")
    void aFloodOfOutputEndsTheCommand() throws Exception {
        Session session = session(Held.BY_GROUPS, ResourceLimits.DEFAULT);
        ResourceLimits mebibyte = output(MIB);

        CommandResult flood = run(session, "yes", mebibyte);
        assertThat(flood.ending()).isEqualTo(new Ending.TooMuchOutput(MIB));
        assertThat(flood.output()).hasSize((int) MIB);
        CommandResult control = run(session, "yes | head -c 1000; echo e >&2", mebibyte);
        assertThat(control.ending()).isEqualTo(new Ending.Exited(0));
        assertThat(control.output()).hasSize(1000);
        assertThat(control.errorText()).isEqualTo("e\n");
    }

    @Test
    @Tag("RS-10")
    void aReaderThatTakesItsTimeGetsAsMuchAsTheCommandMayWrite() throws Exception {
        Session session = session(Held.BY_GROUPS, ResourceLimits.DEFAULT);
        SessionCommand command =
                session.start(
                        CommandRequest.of("yes")
                                .with(new CommandRequest.Streams.Piped())
                                .with(output(200_000)));
        Thread.sleep(300);
        assertThat(command.output().readAllBytes()).hasSize(200_000);
        assertThat(command.await().ending()).isEqualTo(new Ending.TooMuchOutput(200_000));
    }

    private static ResourceLimits output(long bytes) {
        return new ResourceLimits(
                OptionalLong.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(bytes),
                OptionalLong.empty(),
                false);
    }

    @Test
    @Tag("RS-06")
    void aSessionTakesNoMoreOfTheDiskThanItMay() throws Exception {
        Session session =
                session(
                        Held.BY_GROUPS,
                        ResourceLimits.DEFAULT.overriddenBy(
                                new ResourceLimits(
                                        OptionalLong.empty(),
                                        OptionalInt.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        OptionalLong.empty(),
                                        OptionalLong.of(32 * MIB),
                                        false)));
        String write = "head -c $1 /dev/zero >$2";

        assertThat(script(session, write, "20000000", "fits").ending())
                .isEqualTo(new Ending.Exited(0));
        assertThat(script(session, write, "200000000", "one").ending())
                .isInstanceOf(Ending.DiskFull.class);
        assertThat(Files.size(fixture.layout(session).upper("app", 1).resolve("one")))
                .isLessThanOrEqualTo(32 * MIB);
        assertThat(run(session, "rm one", ResourceLimits.NONE).exit()).isZero();
        CommandResult many =
                script(
                        session,
                        "i=0; while :; do head -c 2000000 /dev/zero >~/f$i; i=$((i+1)); sleep 0.02; done");
        assertThat(many.ending()).isInstanceOf(Ending.DiskFull.class);
        assertThat(((Ending.DiskFull) many.ending()).used()).isBetween(32 * MIB, 128 * MIB);
        assertThat(run(session, "rm ~/f*; echo usable", ResourceLimits.NONE).outputText())
                .isEqualTo("usable\n");
    }

    @Test
    @Tag("RS-06")
    void filesWithoutANameAndDeepOnesCountOnTheDisk() throws Exception {
        Session session =
                session(
                        Held.BY_GROUPS,
                        ResourceLimits.DEFAULT.overriddenBy(
                                new ResourceLimits(
                                        OptionalLong.empty(),
                                        OptionalInt.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        OptionalLong.empty(),
                                        OptionalLong.of(32 * MIB),
                                        false)));
        String unlinked =
                "perl -e 'for (1..30) { open($f[$_], q(>), qq(u$_)); unlink qq(u$_);"
                        + " syswrite($f[$_], q(x) x 4e6); select(undef,undef,undef,0.05) } sleep 20'";
        String deep =
                "perl -e 'for (1..1100) { mkdir q(d); chdir q(d) } for (1..30) {"
                        + " open($f, q(>), qq(f$_)); syswrite($f, q(x) x 4e6);"
                        + " select(undef,undef,undef,0.05) } sleep 20'";
        assertThat(run(session, unlinked, ResourceLimits.NONE).ending())
                .isInstanceOf(Ending.DiskFull.class);
        assertThat(run(session, deep, ResourceLimits.NONE).ending())
                .isInstanceOf(Ending.DiskFull.class);
    }

    @Test
    void outputThatWasNotHandedOnIsNoSuccess() throws Exception {
        Session session = session(Held.BY_GROUPS, ResourceLimits.DEFAULT);
        for (int i = 0; i < 5; i++) {
            CommandResult result = run(session, "head -c 2000 /dev/zero", output(1000));
            assertThat(result.ending()).isEqualTo(new Ending.TooMuchOutput(1000));
            assertThat(result.exit()).isEqualTo(137);
            assertThat(result.output()).hasSize(1000);
        }
    }

    private static CommandResult script(Session session, String script, String... arguments)
            throws Exception {
        List<String> words = new java.util.ArrayList<>(List.of("sh", "-c", script, "sh"));
        words.addAll(List.of(arguments));
        return session.run(
                CommandRequest.of(words.toArray(String[]::new))
                        .with(new CommandRequest.Streams.Captured())
                        .within(LONG));
    }

    @Test
    @Tag("RS-05")
    void programsThatReserveMuchAddressSpaceStartUnderAMemoryLimit() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Requirements.that(
                java.startsWith("/usr") || java.startsWith("/opt"),
                "needs a Java where sandboxes see it");
        for (Held held : Held.values()) {
            CommandResult result =
                    run(
                            session(held, ResourceLimits.DEFAULT),
                            java + " -XX:TieredStopAtLevel=1 -version",
                            limits(1024));
            assertThat(result.ending()).as(result.errorText()).isEqualTo(new Ending.Exited(0));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-13")
    void nobodyLeavesACoreDump(Held held) throws Exception {
        Session session = session(held, ResourceLimits.DEFAULT);
        assertThat(run(session, "ulimit -H -c", ResourceLimits.NONE).outputText()).isEqualTo("0\n");
        assertThat(run(session, "ulimit -c 1", ResourceLimits.NONE).exit()).isNotZero();
        assertThat(fixture.shell("ulimit -S -c 0 && ulimit -S -c")).isEqualTo("0\n");
    }

    @Test
    @Tag("RS-16")
    void theGroupCannotBeLeft() throws Exception {
        Session session = session(Held.BY_GROUPS, ResourceLimits.DEFAULT);
        SessionCommand command =
                session.start(
                        CommandRequest.of(
                                        "sh",
                                        "-c",
                                        "echo up; read group; echo 0 >\"$group\" && echo left")
                                .with(new CommandRequest.Streams.Piped()));
        assertThat(command.output().readNBytes(3)).asString().isEqualTo("up\n");
        // Of the session, above the command's own: whoever may write there leaves that one.
        String group =
                fixture.shell("ls -d $(" + groups(session) + " | head -n 1)/cgroup.procs").strip();
        command.input().write((group + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
        command.input().close();
        assertThat(command.output().readAllBytes()).isEmpty();
        assertThat(fixture.shell("test -w " + group + " && echo left")).isEqualTo("left\n");
        assertThat(command.await().exit()).isNotZero();
    }

    @Test
    void noGroupIsLeft() throws Exception {
        Session session = session(Held.BY_GROUPS, limits(200));
        assertThat(fixture.shell(groups(session))).isEmpty();
        SessionCommand command =
                session.start(
                        CommandRequest.of("sh", "-c", "echo up; cat")
                                .with(new CommandRequest.Streams.Piped()));
        assertThat(command.output().read()).isEqualTo('u');
        assertThat(fixture.shell(groups(session))).isNotEmpty();
        command.input().close();
        command.await();
        assertThat(fixture.shell(groups(session))).isEmpty();
    }

    private static String groups(Session session) {
        return "find /sys/fs/cgroup -name 'carrel-" + session.id().value() + "-*'";
    }
}
