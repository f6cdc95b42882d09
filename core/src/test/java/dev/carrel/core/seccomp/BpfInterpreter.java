package dev.carrel.core.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Runs a filter as the kernel would, and refuses what the kernel's checker refuses: it knows
 * nothing of the classes that wrote the program.
 */
final class BpfInterpreter {

    private static final int DATA_SIZE = 64;

    private final ByteBuffer program;
    private final int length;

    BpfInterpreter(byte[] program) {
        if (program.length == 0 || program.length % 8 != 0 || program.length > 8 * 4096) {
            throw new IllegalArgumentException("no program of " + program.length + " bytes");
        }
        this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
        this.length = program.length / 8;
        check();
    }

    /** The action for a call. */
    int run(Call call) {
        ByteBuffer data = call.data();
        int accumulator = 0;
        int at = 0;
        while (true) {
            int constant = constant(at);
            switch (code(at)) {
                case 0x20 -> accumulator = data.getInt(constant);
                case 0x15 -> at += accumulator == constant ? yes(at) : no(at);
                case 0x35 ->
                        at +=
                                Integer.compareUnsigned(accumulator, constant) >= 0
                                        ? yes(at)
                                        : no(at);
                case 0x45 -> at += (accumulator & constant) != 0 ? yes(at) : no(at);
                case 0x06 -> {
                    return constant;
                }
                default -> throw new IllegalStateException("unchecked code");
            }
            at++;
        }
    }

    /** Every path must end: jumps stay inside, and the last instruction returns. */
    private void check() {
        for (int at = 0; at < length; at++) {
            switch (code(at)) {
                case 0x20 -> require(constant(at) % 4 == 0 && constant(at) < DATA_SIZE, at);
                case 0x15, 0x35, 0x45 -> require(at + 1 + Math.max(yes(at), no(at)) < length, at);
                case 0x06 -> {}
                default -> require(false, at);
            }
        }
        require(code(length - 1) == 0x06, length - 1);
    }

    private static void require(boolean holds, int at) {
        if (!holds) {
            throw new IllegalArgumentException("the kernel would refuse instruction " + at);
        }
    }

    private int code(int at) {
        return Short.toUnsignedInt(program.getShort(8 * at));
    }

    private int yes(int at) {
        return Byte.toUnsignedInt(program.get(8 * at + 2));
    }

    private int no(int at) {
        return Byte.toUnsignedInt(program.get(8 * at + 3));
    }

    private int constant(int at) {
        return program.getInt(8 * at + 4);
    }

    /** What the kernel shows to a filter. */
    record Call(int architecture, int number, LongArguments arguments) {

        static final int X86_64 = 0xC000003E;
        static final int I386 = 0x40000003;
        static final int AARCH64 = 0xC00000B7;
        static final int ARM = 0x40000028;

        private ByteBuffer data() {
            ByteBuffer data = ByteBuffer.allocate(DATA_SIZE).order(ByteOrder.LITTLE_ENDIAN);
            data.putInt(number).putInt(architecture).putLong(0x7fff_1234_5678L);
            for (int argument = 0; argument < 6; argument++) {
                data.putLong(arguments.get(argument));
            }
            return data;
        }
    }

    /** Six arguments; those not given are zero. */
    record LongArguments(long a, long b, long c, long d, long e, long f) {

        static LongArguments of(long... given) {
            var six = java.util.Arrays.copyOf(given, 6);
            return new LongArguments(six[0], six[1], six[2], six[3], six[4], six[5]);
        }

        long get(int index) {
            return switch (index) {
                case 0 -> a;
                case 1 -> b;
                case 2 -> c;
                case 3 -> d;
                case 4 -> e;
                case 5 -> f;
                default -> throw new IndexOutOfBoundsException(index);
            };
        }
    }
}
