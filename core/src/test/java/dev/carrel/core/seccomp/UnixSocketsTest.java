package dev.carrel.core.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.seccomp.BpfInterpreter.Call;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The filter of sessions that see the host. */
final class UnixSocketsTest {

    private static final int UNIX = 1;
    private static final long BIT_32 = 1L << 32;

    static List<Architecture> architectures() {
        return List.of(Architecture.X86_64, Architecture.AARCH64);
    }

    private static BpfInterpreter filter(
            SeccompMode mode, Architecture architecture, UnixSockets sockets) {
        return new BpfInterpreter(
                SeccompFilter.forMode(mode, architecture, sockets).orElseThrow().program());
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void areRefusedWhateverElseTheCallSays(Architecture architecture) {
        FilterModel model = FilterModel.of(architecture);
        for (SeccompMode mode : List.of(SeccompMode.DEFAULT, SeccompMode.ENFORCE)) {
            BpfInterpreter refusing = filter(mode, architecture, UnixSockets.REFUSED);
            BpfInterpreter allowing = filter(mode, architecture, UnixSockets.ALLOWED);
            for (long type : new long[] {1, 2, 5, 0x80001, 0x800}) {
                for (long family : new long[] {UNIX, UNIX | BIT_32, UNIX | 0xdead00000000L}) {
                    Call socket = call(model, model.special().socket(), family, type);
                    assertThat(refusing.run(socket)).isEqualTo(FilterModel.EAFNOSUPPORT);
                    assertThat(allowing.run(socket)).isEqualTo(FilterModel.ALLOW);
                }
                Call pair = call(model, model.special().socketPair(), UNIX, type);
                assertThat(refusing.run(pair)).isEqualTo(FilterModel.ALLOW);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SeccompMode.class,
            names = {"DEFAULT", "ENFORCE", "LOG"})
    void nothingElseIsAnsweredOtherwise(SeccompMode mode) {
        for (Architecture architecture : architectures()) {
            FilterModel model = FilterModel.of(architecture);
            BpfInterpreter refusing = filter(mode, architecture, UnixSockets.REFUSED);
            BpfInterpreter allowing = filter(mode, architecture, UnixSockets.ALLOWED);
            for (int number = 0; number < 600; number++) {
                for (long first = 0; first < 45; first++) {
                    if (number != model.special().socket() || first != UNIX) {
                        Call call = call(model, number, first, 1);
                        assertThat(refusing.run(call)).isEqualTo(allowing.run(call));
                    }
                }
            }
        }
    }

    private static Call call(FilterModel model, int number, long first, long second) {
        return new Call(
                model.architecture(),
                number,
                BpfInterpreter.LongArguments.of(first, second, 0, 0, 0, 0));
    }
}
