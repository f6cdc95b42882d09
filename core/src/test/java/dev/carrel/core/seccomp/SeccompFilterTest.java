package dev.carrel.core.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.seccomp.BpfInterpreter.Call;
import dev.carrel.core.seccomp.BpfInterpreter.LongArguments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

final class SeccompFilterTest {

    private static final long BIT_32 = 1L << 32;
    private static final long GARBAGE = 0xDEAD_BEEF_0000_0000L;

    /** Everything that an argument rule compares with, its neighbours, and nothing in common. */
    private static final long[] LOW_HALVES = {
        0,
        1,
        2,
        3,
        8,
        10,
        15,
        16,
        17,
        21,
        30,
        38,
        39,
        40,
        41,
        44,
        0x80,
        0x11,
        0x5411,
        0x5412,
        0x5413,
        0x541B,
        0x541C,
        0x541D,
        0x5423,
        0x20000,
        0x20008,
        0x40000,
        0x40008,
        0x400000,
        0x2000000,
        0x4000000,
        0x8000000,
        0x10000000,
        0x20000000,
        0x40000000,
        0x80000000L,
        0x7E020000L,
        0x01FDFF7FL,
        0x400,
        0x200,
        0x7FFFFFFF,
        0xFFFFFFFFL
    };

    private static final int[] HOSTILE_NUMBERS = {
        -1,
        -2,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE,
        336,
        337,
        386,
        387,
        423,
        424,
        471,
        472,
        511,
        512,
        520,
        547,
        548,
        600,
        1000,
        0x40000000,
        0x40000000 + 16,
        0x40000000 + 41,
        0x40000000 + 39
    };

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "OFF")
    void answersEveryNumberWithEveryHostileArgumentAsTheModelSays(SeccompMode mode) {
        var filter = interpreter(mode);
        for (int number : numbers()) {
            for (LongArguments arguments : hostileArguments()) {
                for (int architecture : List.of(Call.X86_64, Call.I386, Call.AARCH64, 0)) {
                    agrees(mode, filter, new Call(architecture, number, arguments));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "OFF")
    void answersRandomCallsAsTheModelSays(SeccompMode mode) {
        var filter = interpreter(mode);
        var random = new Random(20260801);
        for (int round = 0; round < 400_000; round++) {
            agrees(mode, filter, randomCall(random));
        }
    }

    @Test
    void deniesEveryRowWhenEnforcingAndOnlyTheCoreByDefault() {
        var enforced = interpreter(SeccompMode.ENFORCE);
        var normal = interpreter(SeccompMode.DEFAULT);
        var observed = interpreter(SeccompMode.LOG);
        for (Rule rule : X8664Table.RULES) {
            for (long high : new long[] {0, BIT_32, GARBAGE}) {
                Call call = Call.of(rule.number(), Rows.matching(rule.when(), high));
                int denial = 0x00050000 | rule.denial().number();
                assertThat(enforced.run(call)).as("%s", rule).isEqualTo(denial);
                assertThat(normal.run(call))
                        .as("%s", rule)
                        .isEqualTo(
                                rule.standing() == Rule.Standing.CORE
                                        ? denial
                                        : FilterModel.RECORD);
                assertThat(observed.run(call)).as("%s", rule).isEqualTo(FilterModel.RECORD);
            }
        }
    }

    @Test
    void aForbiddenValueWithBit32SetStaysForbidden() {
        var filter = interpreter(SeccompMode.DEFAULT);
        assertThat(filter.run(Call.of(16, 0, 0x5412 | BIT_32))).isEqualTo(FilterModel.EPERM);
        assertThat(filter.run(Call.of(41, 38 | BIT_32))).isEqualTo(FilterModel.EAFNOSUPPORT);
        assertThat(interpreter(SeccompMode.ENFORCE).run(Call.of(135, 8 | BIT_32)))
                .isEqualTo(FilterModel.EPERM);
    }

    @Test
    void logDeniesNothingAtAll() {
        var filter = interpreter(SeccompMode.LOG);
        for (int number : numbers()) {
            for (int architecture : List.of(Call.X86_64, Call.I386, 0)) {
                for (LongArguments arguments : hostileArguments()) {
                    assertThat(filter.run(new Call(architecture, number, arguments)))
                            .isIn(FilterModel.ALLOW, FilterModel.RECORD);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "OFF")
    void isTheProgramThatWasReviewed(SeccompMode mode) throws IOException {
        String name = mode + ".txt";
        try (InputStream golden = SeccompFilterTest.class.getResourceAsStream(name)) {
            assertThat(golden)
                    .as("src/test/resources/dev/carrel/core/seccomp/%s", name)
                    .isNotNull();
            assertThat(filter(mode).toString())
                    .as("reviewed listing %s: replace it where the change is meant", name)
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "OFF")
    void fitsIntoTheKernel(SeccompMode mode) {
        var filter = filter(mode);
        assertThat(filter.program()).hasSize(8 * filter.instructions());
        assertThat(filter.instructions()).isBetween(1, 4096);
        assertThat(filter.program()).isEqualTo(filter(mode).program());
    }

    @Test
    void doesNotLetCallersChangeIt() {
        var filter = filter(SeccompMode.ENFORCE);
        byte[] first = filter.program();
        java.util.Arrays.fill(first, (byte) 0);
        assertThat(filter.program()).isNotEqualTo(first);
    }

    @Test
    void offIsNoFilterOnAnyProcessor() {
        assertThat(SeccompFilter.forMode(SeccompMode.OFF, Architecture.X86_64)).isEmpty();
        assertThat(SeccompFilter.forMode(SeccompMode.OFF, new Architecture("aarch64"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"aarch64", "x86", "i386", "riscv64", "unknown", "AMD64 "})
    void refusesEveryOtherProcessorInsteadOfRunningUnfiltered(String name) {
        for (var mode : List.of(SeccompMode.DEFAULT, SeccompMode.LOG, SeccompMode.ENFORCE)) {
            assertThatThrownBy(() -> SeccompFilter.forMode(mode, new Architecture(name)))
                    .isInstanceOf(UnsupportedHostException.class)
                    .hasMessageContaining("'" + name + "'")
                    .hasMessageContaining("'" + mode + "'");
        }
    }

    @Test
    void knowsBothNamesOfX8664() {
        assertThat(new Architecture("x86_64")).isEqualTo(Architecture.X86_64);
        assertThat(Architecture.current().name()).isNotBlank();
    }

    private static void agrees(SeccompMode mode, BpfInterpreter filter, Call call) {
        int expected = FilterModel.action(mode, call);
        int actual = filter.run(call);
        if (actual != expected) {
            assertThat(Integer.toHexString(actual))
                    .as("%s %s", mode, call)
                    .isEqualTo(Integer.toHexString(expected));
        }
    }

    private static SeccompFilter filter(SeccompMode mode) {
        return SeccompFilter.forMode(mode, Architecture.X86_64).orElseThrow();
    }

    private static BpfInterpreter interpreter(SeccompMode mode) {
        return new BpfInterpreter(filter(mode).program());
    }

    private static List<Integer> numbers() {
        var numbers = new ArrayList<Integer>();
        for (int number = 0; number < 480; number++) {
            numbers.add(number);
        }
        for (int number : HOSTILE_NUMBERS) {
            numbers.add(number);
        }
        return numbers;
    }

    /** Each low half in each place of the first three, with clean and with dirty high halves. */
    private static List<LongArguments> hostileArguments() {
        var all = new ArrayList<LongArguments>();
        for (long low : LOW_HALVES) {
            for (long high : new long[] {0, BIT_32, GARBAGE}) {
                long value = low | high;
                all.add(LongArguments.of(value, 0, 0));
                all.add(LongArguments.of(3, value, 0));
                all.add(LongArguments.of(16 | high, 3, value));
                all.add(LongArguments.of(value, value, value, value, value, value));
            }
        }
        return all;
    }

    private static Call randomCall(Random random) {
        int number =
                switch (random.nextInt(6)) {
                    case 0 -> random.nextInt();
                    case 1 -> HOSTILE_NUMBERS[random.nextInt(HOSTILE_NUMBERS.length)];
                    case 2 -> new int[] {16, 41, 53, 56, 135, 272}[random.nextInt(6)];
                    default -> random.nextInt(480);
                };
        int architecture = random.nextInt(20) == 0 ? random.nextInt() : Call.X86_64;
        long[] arguments = new long[6];
        for (int index = 0; index < 6; index++) {
            arguments[index] = randomArgument(random);
        }
        return new Call(architecture, number, LongArguments.of(arguments));
    }

    private static long randomArgument(Random random) {
        long low =
                random.nextInt(3) == 0
                        ? Integer.toUnsignedLong(random.nextInt())
                        : LOW_HALVES[random.nextInt(LOW_HALVES.length)];
        return random.nextBoolean() ? low : low | ((long) random.nextInt() << 32);
    }
}
