package dev.carrel.core.seccomp;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * One instruction of classic BPF, limited to the five kinds that the filter needs.
 *
 * @param code what it does
 * @param whenTrue instructions to skip when a comparison holds, 0 to 255
 * @param whenFalse instructions to skip when it does not, 0 to 255
 * @param constant the offset to load, the value to compare with, the answer to return
 */
record Instruction(Code code, int whenTrue, int whenFalse, int constant) {

    /** Bytes of one instruction, as the kernel's {@code struct sock_filter}. */
    static final int SIZE = 8;

    /** The kinds, with their number in {@code linux/bpf_common.h}. */
    enum Code {
        LOAD(0x20),
        JUMP_EQUAL(0x15),
        JUMP_AT_LEAST(0x35),
        JUMP_ANY_BIT(0x45),
        RETURN(0x06);

        private final int number;

        Code(int number) {
            this.number = number;
        }
    }

    Instruction {
        // A jump has 8 bits and goes forward only. More would silently wrap to a wrong place.
        if (whenTrue < 0 || whenTrue > 255 || whenFalse < 0 || whenFalse > 255) {
            throw new IllegalArgumentException("jump out of range: " + whenTrue + "/" + whenFalse);
        }
    }

    void writeTo(ByteBuffer littleEndian) {
        littleEndian
                .putShort((short) code.number)
                .put((byte) whenTrue)
                .put((byte) whenFalse)
                .putInt(constant);
    }

    /** For listings: the kind, the two jumps, the constant in hexadecimal. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%-13s %3d %3d %08x", code, whenTrue, whenFalse, constant);
    }
}
