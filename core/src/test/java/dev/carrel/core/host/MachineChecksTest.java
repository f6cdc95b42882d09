package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MachineChecksTest {

    @Test
    void sayThatAnUntestedProcessorIsUntested() {
        assertThat(MachineChecks.platform("Linux amd64").outcome()).isEqualTo(Check.Outcome.OK);
        Check arm = MachineChecks.platform("Linux aarch64");
        assertThat(arm.outcome()).isEqualTo(Check.Outcome.WARN);
        assertThat(arm.found()).startsWith("Linux aarch64: ").contains("not tested");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Linux riscv64", "Linux i386", "Mac OS X aarch64", "Windows 11 amd64"})
    void failWhereNoSessionCanRun(String found) {
        assertThat(MachineChecks.platform(found).outcome()).isEqualTo(Check.Outcome.FAIL);
    }
}
