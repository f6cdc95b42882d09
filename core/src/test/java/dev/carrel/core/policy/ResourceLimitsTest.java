package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResourceLimitsTest {

    private static Setting set(String key, String value) {
        return new Setting("limits." + key, List.of(value), "--set");
    }

    @Test
    void everySettingHasItsPlace() {
        assertThat(
                        ResourceLimits.of(
                                List.of(
                                        set("memory", "2G"),
                                        set("pids", "100"),
                                        set("cpus", "0.5"),
                                        set("wall_clock", "5m"),
                                        set("output", "10M"),
                                        set("disk", "1T"),
                                        set("require", "cgroup"))))
                .isEqualTo(
                        new ResourceLimits(
                                OptionalLong.of(2L << 30),
                                OptionalInt.of(100),
                                Optional.of(new BigDecimal("0.5")),
                                Optional.of(Duration.ofMinutes(5)),
                                OptionalLong.of(10 << 20),
                                OptionalLong.of(1L << 40),
                                true));
    }

    @Test
    void allProblemsComeAtOnceEachWithItsPlace() {
        assertThatThrownBy(() ->
                        ResourceLimits.of(
                                List.of(
                                        set("memory", "1M"),
                                        set("pids", "0"),
                                        set("cpus", "many"),
                                        set("wall_clock", "5 minutes"),
                                        set("output", "5m"))))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        wrong ->
                                assertThat(wrong.problems())
                                        .containsExactly(
                                                "--set limits.memory: a command needs at least 16M, not 1M",
                                                "--set limits.pids: 1 to 4194304, not 0",
                                                "--set limits.cpus: 'many' is not a number, such as 1.5",
                                                "--set limits.wall_clock: '5 minutes' is not a time, such as 90s, 5m or 1h",
                                                "--set limits.output: '5m' is not a size, such as 2G or 512M"));
    }

    @Test
    void onlyProcessesAreLimitedByDefault() {
        SandboxPolicy policy = SessionSettings.of(List.of()).sandbox();
        assertThat(policy.limits()).isEqualTo(ResourceLimits.NONE.withPids(4096));
        assertThat(SessionSettings.of(List.of(set("memory", "64M"))).sandbox().limits())
                .isEqualTo(ResourceLimits.NONE.withPids(4096).withMemory(64 << 20));
    }

    @Test
    void whatIsSetLaterWins() {
        ResourceLimits session = ResourceLimits.DEFAULT.withMemory(1L << 30);
        assertThat(session.overriddenBy(ResourceLimits.NONE)).isEqualTo(session);
        assertThat(session.overriddenBy(ResourceLimits.NONE.withPids(7)))
                .isEqualTo(session.withPids(7));
    }
}
