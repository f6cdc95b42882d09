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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What commands may use of the machine, by each mechanism that it has. */
class SessionLimitsIT {

    private static final long MIB = 1L << 20;
    private static final Duration LONG = Duration.ofSeconds(60);

    /**
     * Takes so many MiB, and what is above sixteen slowly enough for a watch to see it grow. A
     * touched page is what costs here, so that limits are small.
     */
    private static final String GROW =
            "sub grow { for (1..2 * $_[0]) { push @a, q(x) x 524288;"
                    + " select(undef,undef,undef,0.02) if $_ > 32 } } ";

    /** And holds it until a watch has looked. */
    private static final String FILL =
            "perl -e '"
                    + GROW
                    + "grow($ARGV[0]); select(undef,undef,undef,0.3); print qq(all\\n)' ";

    /** Four of them, that all have their share at the same time. */
    private static final String FOUR =
            "perl -e '"
                    + GROW
                    + "for (1..4) { fork or do { grow($ARGV[0]); select(undef,undef,undef,0.5); exit } }"
                    + " while (wait > 0) { $killed ||= $? } exit($killed ? 3 : 0)' ";

    /** Starts so many processes; fails where one of them was refused. */
    private static final String FORK =
            "perl -e 'for (1..$ARGV[0]) { $p = fork; $refused = 1, last unless defined $p;"
                    + " unless ($p) { sleep 1; exit } } select(undef,undef,undef,0.6); exit($refused ? 3 : 0)' ";

    /** Processes that are born and go all the time, as many as may be, and do not mind TERM. */
    private static final String STORM =
            "perl -e '$SIG{TERM} = q(IGNORE); fork or do { setpgrp; kill STOP => $$ }; while (1) {"
                    + " fork; fork; select(undef,undef,undef,0.1); rand() < 0.5 && exit }' & sleep 100";

    @TempDir private static Path nowhere;
    private static SessionFixture fixture;
    private static Path app;

    /** With the limits that every session has; no test leaves anything in one of them. */
    private static final Map<Held, Session> USUAL = new EnumMap<>(Held.class);

    enum Held {
        BY_GROUPS,
        BY_RESOURCE_LIMITS
    }

    @BeforeAll
    static void start() throws Exception {
        Requirements.bwrap();
        fixture = SessionFixture.create();
        app = fixture.plain("app");
    }

    @AfterAll
    static void end() throws Exception {
        USUAL.clear();
        if (fixture != null) {
            fixture.remove();
        }
    }

    private static Session session(Held held) throws Exception {
        if (!USUAL.containsKey(held)) {
            USUAL.put(held, session(held, ResourceLimits.DEFAULT));
        }
        return USUAL.get(held);
    }

    private static Session session(Held held, ResourceLimits limits) throws Exception {
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
        Session session = session(held);

        CommandResult result = run(session, FILL + 300, limits(24));
        assertThat(result.ending()).isEqualTo(new Ending.OutOfMemory(24 * MIB));
        assertThat(result.outputText()).isEmpty();
        assertThat(result.usage().peakMemory().orElseThrow()).isBetween(18 * MIB, 38 * MIB);

        CommandResult control = run(session, FILL + 16, limits(80));
        assertThat(control.ending()).isEqualTo(new Ending.Exited(0));
        assertThat(control.usage().peakMemory().orElseThrow()).isGreaterThan(12 * MIB);
        assertThat(control.limitedBy())
                .contains(held == Held.BY_GROUPS ? "cgroup" : "rlimits and watchdog");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-02")
    void manySmallProcessesAreCountedTogether(Held held) throws Exception {
        Session session = session(held);

        assertThat(run(session, FOUR + 7, limits(20)).ending())
                .isEqualTo(new Ending.OutOfMemory(20 * MIB));
        assertThat(run(session, FOUR + 7, limits(200)).ending()).isEqualTo(new Ending.Exited(0));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-01")
    void aCommandStartsNoMoreProcessesThanItMayAndTheOthersAreNoneOfItsOwn(Held held)
            throws Exception {
        Session session = session(held);
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
        Session session = session(held);
        Duration time = Duration.ofMillis(500);

        CommandResult result =
                session.run(
                        CommandRequest.of("sh", "-c", "trap '' TERM; " + STORM)
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
        Session session = session(Held.BY_GROUPS);
        String fill = "head -c 40m /dev/zero >/dev/shm/x";

        assertThat(run(session, fill + "; exit 3", limits(24)).ending())
                .isEqualTo(new Ending.OutOfMemory(24 * MIB));
        assertThat(run(session, fill, limits(100)).ending()).isEqualTo(new Ending.Exited(0));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-14")
    void whatIsForkedTwiceLeavesNoZombies(Held held) throws Exception {
        Session session = session(held);
        String script =
                "i=0; while [ $i -lt 30 ]; do (true &); i=$((i+1)); done; sleep 0.2;"
                        + " grep -h '^State:.Z' /proc/[0-9]*/status; echo looked";

        CommandResult result = run(session, script, ResourceLimits.NONE.withPids(20));
        assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
        assertThat(result.outputText()).isEqualTo("looked\n");
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
        Session session = session(Held.BY_GROUPS);
        List<String> files = fixture.sessionFiles();
        String busy = "perl -MTime::HiRes=time -e '$e = time + 1; 1 while time < $e'";

        CommandResult result = run(session, busy, fifth);
        assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
        assertThat(result.usage().cpu().orElseThrow())
                .isBetween(Duration.ofMillis(20), result.duration().dividedBy(5).plusMillis(150));

        assertThatThrownBy(() -> session(Held.BY_RESOURCE_LIMITS, fifth))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("limits.cpus")
                .hasMessageContaining("resource limits cannot hold");
        assertThat(fixture.sessionFiles()).isEqualTo(files);
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
        Session session = session(Held.BY_GROUPS, limits(40));
        String script = FILL + "26; sleep 1";

        SessionCommand first =
                session.start(
                        CommandRequest.of("sh", "-c", script)
                                .with(new CommandRequest.Streams.Captured()));
        CommandResult second = run(session, script, ResourceLimits.NONE);
        assertThat(List.of(first.await().outputText(), second.outputText())).contains("");
        assertThat(run(session, FILL + 26, ResourceLimits.NONE).outputText()).isEqualTo("all\n");
        assertThatThrownBy(() -> run(session, "true", limits(200)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("all of its session may use");
    }

    @Test
    @Tag("RS-10")
    void aFloodOfOutputEndsTheCommand() throws Exception {
        Session session = session(Held.BY_GROUPS);
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
        Session session = session(Held.BY_GROUPS);
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
                                        OptionalLong.of(8 * MIB),
                                        false)));
        String write = "head -c $1 /dev/zero >$2";

        assertThat(script(session, write, "5000000", "fits").ending())
                .isEqualTo(new Ending.Exited(0));
        assertThat(script(session, write, "50000000", "one").ending())
                .isInstanceOf(Ending.DiskFull.class);
        assertThat(Files.size(fixture.layout(session).upper("app", 1).resolve("one")))
                .isLessThanOrEqualTo(8 * MIB);
        assertThat(run(session, "rm one", ResourceLimits.NONE).exit()).isZero();
        CommandResult many =
                script(
                        session,
                        "perl -e 'chdir; while (open($f, q(>), q(f) . $i++)) { syswrite($f, q(x) x 5e5);"
                                + " select(undef,undef,undef,0.02) }'");
        assertThat(many.ending()).isInstanceOf(Ending.DiskFull.class);
        assertThat(((Ending.DiskFull) many.ending()).used()).isBetween(8 * MIB, 64 * MIB);
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
                                        OptionalLong.of(8 * MIB),
                                        false)));
        String unlinked =
                "perl -e 'for (1..30) { open($f[$_], q(>), qq(u$_)); unlink qq(u$_);"
                        + " syswrite($f[$_], q(x) x 2e6); select(undef,undef,undef,0.05) } sleep 20'";
        String deep =
                "perl -e 'for (1..1100) { mkdir q(d); chdir q(d) } for (1..30) {"
                        + " open($f, q(>), qq(f$_)); syswrite($f, q(x) x 2e6);"
                        + " select(undef,undef,undef,0.05) } sleep 20'";
        assertThat(run(session, unlinked, ResourceLimits.NONE).ending())
                .isInstanceOf(Ending.DiskFull.class);
        assertThat(run(session, deep, ResourceLimits.NONE).ending())
                .isInstanceOf(Ending.DiskFull.class);
    }

    @Test
    void outputThatWasNotHandedOnIsNoSuccess() throws Exception {
        Session session = session(Held.BY_GROUPS);
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
                    run(session(held), java + " -XX:TieredStopAtLevel=1 -version", limits(1024));
            assertThat(result.ending()).as(result.errorText()).isEqualTo(new Ending.Exited(0));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("RS-13")
    void nobodyLeavesACoreDump(Held held) throws Exception {
        Session session = session(held);
        String script = "ulimit -H -c; (ulimit -c 1) 2>/dev/null || echo refused";
        assertThat(run(session, script, ResourceLimits.NONE).outputText())
                .isEqualTo("0\nrefused\n");
        assertThat(fixture.shell("ulimit -S -c 0 && ulimit -S -c")).isEqualTo("0\n");
    }

    @Test
    @Tag("RS-16")
    void theGroupCannotBeLeft() throws Exception {
        Session session = session(Held.BY_GROUPS);
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
