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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SeccompFilterTest {

    private static final List<SeccompMode> MODES =
            List.of(SeccompMode.DEFAULT, SeccompMode.LOG, SeccompMode.ENFORCE);

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
        243,
        244,
        259,
        260,
        294,
        295,
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
        0x40000000 + 29,
        0x40000000 + 198,
        0x40000000 + 39
    };

    /** Words of all architectures that the tested ones can meet, and of none. */
    private static final int[] ARCHITECTURES = {Call.X86_64, Call.I386, Call.AARCH64, Call.ARM, 0};

    /** A filter under test. */
    record Case(Architecture architecture, SeccompMode mode) {

        SeccompFilter filter() {
            return SeccompFilter.forMode(mode, architecture).orElseThrow();
        }

        BpfInterpreter interpreter() {
            return new BpfInterpreter(filter().program());
        }

        FilterModel model() {
            return FilterModel.of(architecture);
        }

        @Override
        public String toString() {
            return architecture.name() + "/" + mode;
        }
    }

    static Stream<Case> cases() {
        return architectures()
                .flatMap(architecture -> MODES.stream().map(mode -> new Case(architecture, mode)));
    }

    static Stream<Architecture> architectures() {
        return Stream.of(Architecture.X86_64, Architecture.AARCH64);
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("TT-02")
    @Tag("TT-03")
    void answersEveryNumberWithEveryHostileArgumentAsTheModelSays(Case tested) {
        var filter = tested.interpreter();
        for (int number : numbers()) {
            for (LongArguments arguments : hostileArguments()) {
                for (int architecture : ARCHITECTURES) {
                    agrees(tested, filter, new Call(architecture, number, arguments));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void answersRandomCallsAsTheModelSays(Case tested) {
        var filter = tested.interpreter();
        var random = new Random(20260801);
        for (int round = 0; round < 400_000; round++) {
            agrees(tested, filter, randomCall(random, tested.model()));
        }
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void deniesEveryRowWhenEnforcingAndOnlyTheCoreByDefault(Architecture architecture) {
        CallTable table = CallTable.of(architecture).orElseThrow();
        var enforced = new Case(architecture, SeccompMode.ENFORCE).interpreter();
        var normal = new Case(architecture, SeccompMode.DEFAULT).interpreter();
        var observed = new Case(architecture, SeccompMode.LOG).interpreter();
        for (Rule rule : Rules.ALL) {
            if (table.absent().contains(rule.call())) {
                continue;
            }
            int number = table.number(rule.call()).orElseThrow();
            for (long high : new long[] {0, BIT_32, GARBAGE}) {
                var arguments = LongArguments.of(Rows.matching(rule.when(), high));
                var call = new Call(table.auditArchitecture(), number, arguments);
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

    @ParameterizedTest
    @MethodSource("architectures")
    void aForbiddenValueWithBit32SetStaysForbidden(Architecture architecture) {
        var special = FilterModel.of(architecture).special();
        int word = FilterModel.of(architecture).architecture();
        var filter = new Case(architecture, SeccompMode.DEFAULT).interpreter();
        assertThat(filter.run(call(word, special.ioctl(), 0, 0x5412 | BIT_32)))
                .isEqualTo(FilterModel.EPERM);
        assertThat(filter.run(call(word, special.socket(), 38 | BIT_32)))
                .isEqualTo(FilterModel.EAFNOSUPPORT);
        assertThat(filter.run(call(word, special.cloning(), 0x10000000 | BIT_32)))
                .isEqualTo(FilterModel.EPERM);
        assertThat(
                        new Case(architecture, SeccompMode.ENFORCE)
                                .interpreter()
                                .run(call(word, special.personality(), 8 | BIT_32)))
                .isEqualTo(FilterModel.EPERM);
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void endsEveryProgramOfAnotherArchitecture(Architecture architecture) {
        int own = FilterModel.of(architecture).architecture();
        var filter = new Case(architecture, SeccompMode.DEFAULT).interpreter();
        var log = new Case(architecture, SeccompMode.LOG).interpreter();
        for (int word : ARCHITECTURES) {
            int harmless = 39; // getpid, umount2
            if (word != own) {
                assertThat(filter.run(call(word, harmless))).isEqualTo(FilterModel.KILL);
                assertThat(log.run(call(word, harmless))).isEqualTo(FilterModel.RECORD);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void logDeniesNothingAtAll(Architecture tested) {
        var filter = new Case(tested, SeccompMode.LOG).interpreter();
        for (int number : numbers()) {
            for (int architecture : ARCHITECTURES) {
                for (LongArguments arguments : hostileArguments()) {
                    int answer = filter.run(new Call(architecture, number, arguments));
                    if (answer != FilterModel.RECORD) {
                        assertThat(answer).isEqualTo(FilterModel.ALLOW);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isTheProgramThatWasReviewed(Case tested) throws IOException {
        String name = tested + ".txt";
        try (InputStream golden = SeccompFilterTest.class.getResourceAsStream(name)) {
            assertThat(golden)
                    .as("src/test/resources/dev/carrel/core/seccomp/%s", name)
                    .isNotNull();
            assertThat(tested.filter().toString())
                    .as("reviewed listing %s: replace it where the change is meant", name)
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void fitsIntoTheKernel(Case tested) {
        var filter = tested.filter();
        assertThat(filter.program()).hasSize(8 * filter.instructions());
        assertThat(filter.instructions()).isBetween(1, 4096);
        assertThat(filter.program()).isEqualTo(tested.filter().program());
    }

    @Test
    void doesNotLetCallersChangeIt() {
        var filter = new Case(Architecture.X86_64, SeccompMode.ENFORCE).filter();
        byte[] first = filter.program();
        java.util.Arrays.fill(first, (byte) 0);
        assertThat(filter.program()).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"amd64", "aarch64", "riscv64"})
    void offIsNoFilterOnAnyProcessor(String name) {
        assertThat(SeccompFilter.forMode(SeccompMode.OFF, new Architecture(name))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"arm", "aarch64_be", "x86", "i386", "riscv64", "unknown", "AMD64 "})
    void refusesEveryOtherProcessorInsteadOfRunningUnfiltered(String name) {
        for (var mode : MODES) {
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

    private static void agrees(Case tested, BpfInterpreter filter, Call call) {
        int expected = tested.model().action(tested.mode(), call);
        int actual = filter.run(call);
        if (actual != expected) {
            assertThat(Integer.toHexString(actual))
                    .as("%s %s", tested, call)
                    .isEqualTo(Integer.toHexString(expected));
        }
    }

    private static Call call(int architecture, int number, long... arguments) {
        return new Call(architecture, number, LongArguments.of(arguments));
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

    private static Call randomCall(Random random, FilterModel model) {
        int number =
                switch (random.nextInt(6)) {
                    case 0 -> random.nextInt();
                    case 1 -> HOSTILE_NUMBERS[random.nextInt(HOSTILE_NUMBERS.length)];
                    case 2 -> model.special().number(random.nextInt(6));
                    default -> random.nextInt(480);
                };
        int architecture = random.nextInt(20) == 0 ? random.nextInt() : model.architecture();
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
