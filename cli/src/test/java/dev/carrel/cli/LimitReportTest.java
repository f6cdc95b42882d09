package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.Usage;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Ending;
import dev.carrel.core.session.NetworkResult;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimitReportTest {

    private static final Usage USED =
            new Usage(
                    OptionalLong.of(70 << 20), Optional.of(Duration.ofMillis(1500)), false, false);

    private static LimitReport report(Ending ending, Usage usage) {
        return new LimitReport(
                new CommandResult(
                        1,
                        ending,
                        Instant.EPOCH,
                        Duration.ofSeconds(3),
                        usage,
                        "cgroup v1",
                        new byte[0],
                        new byte[0],
                        Optional.empty(),
                        NetworkResult.NOTHING));
    }

    static Object[][] lines() {
        return new Object[][] {
            {
                new Ending.TimedOut(Duration.ofMinutes(5)),
                "the command was ended after 5m0s; to give it longer: --timeout or limits.wall_clock"
            },
            {
                new Ending.OutOfMemory(64 << 20),
                "the command was out of memory (limit 64M, peak 70M); to allow more: --memory or limits.memory"
            },
            {
                new Ending.TooManyProcesses(20),
                "the command was refused more than 20 processes and threads; to allow more: --pids or limits.pids"
            },
            {
                new Ending.TooMuchOutput(1 << 20),
                "the command was ended after 1.0M of output; to allow more: limits.output"
            },
            {
                new Ending.DiskFull(32 << 20, 40 << 20),
                "the command was ended: its session takes 40M of disk (limit 32M); to allow more: limits.disk"
            },
            {
                new Ending.Unwatched("cannot read /proc/7/stat: too many open files"),
                "the command was ended: what it uses is limited, and could not be counted any more: cannot read /proc/7/stat: too many open files"
            },
        };
    }

    @ParameterizedTest
    @MethodSource("lines")
    void aLimitIsNamedWithWhatRaisesIt(Ending ending, String line) {
        assertThat(report(ending, USED).line()).contains(line);
    }

    @Test
    void theLimitsOfASessionAreNamedAsTheirSettings() {
        ResourceLimits all =
                new ResourceLimits(
                        OptionalLong.of(2L << 30),
                        OptionalInt.of(20),
                        Optional.of(new BigDecimal("1.5")),
                        Optional.of(Duration.ofMinutes(5)),
                        OptionalLong.of(1 << 20),
                        OptionalLong.of(32 << 20),
                        true);
        assertThat(LimitLine.text(ResourceLimits.NONE)).isEqualTo("-");
        assertThat(LimitLine.text(all))
                .isEqualTo(
                        "memory 2.0G, pids 20, cpus 1.5, wall_clock "
                                + Human.duration(Duration.ofMinutes(5))
                                + ", output 1.0M, disk 32M, require cgroup");
        assertThat(LimitLine.json(all).written())
                .isEqualTo(
                        "{\"memoryBytes\":2147483648,\"pids\":20,\"cpus\":\"1.5\","
                                + "\"wallClockMillis\":300000,\"outputBytes\":1048576,"
                                + "\"diskBytes\":33554432,\"require\":\"cgroup\"}");
    }

    @Test
    void nothingIsSaidOfAnOrdinaryEnd() {
        assertThat(report(new Ending.Exited(1), USED).line()).isEmpty();
        assertThat(report(new Ending.Signalled(9), USED).line()).isEmpty();
        assertThat(report(new Ending.Cancelled(), USED).line()).isEmpty();
    }

    @Test
    void aPartThatWasKilledForItsMemoryIsSaidThoughTheCommandSucceeded() {
        Usage killed = new Usage(OptionalLong.empty(), Optional.empty(), true, false);
        assertThat(report(new Ending.Exited(0), killed).line())
                .contains(
                        "a part of the command was killed for its memory; to allow more: --memory or"
                                + " limits.memory");
    }

    @Test
    void programsGetHowItEndedAndWhatItUsed() {
        Json.Fields fields = Json.object();
        report(new Ending.OutOfMemory(64 << 20), USED).addTo(fields);
        assertThat(fields.written())
                .isEqualTo(
                        "{\"ending\":{\"how\":\"out-of-memory\",\"limitBytes\":67108864},"
                                + "\"limitsHeldBy\":\"cgroup v1\","
                                + "\"usage\":{\"cpuMillis\":1500,\"peakMemoryBytes\":73400320}}");
    }
}
