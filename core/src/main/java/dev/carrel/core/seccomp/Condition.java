package dev.carrel.core.seccomp;

import java.util.List;

/**
 * What the arguments of a call must be for a rule to apply.
 *
 * <p>Only the low 32 bits of an argument are looked at. The kernel declares the arguments used here
 * as 32-bit values ({@code ioctl} request, {@code socket} family and protocol, {@code personality})
 * or keeps only their low half ({@code clone}), so it throws the high half away: a test of all 64
 * bits is passed by the forbidden value with bit 32 set (CVE-2019-10063). {@code unshare} refuses
 * flags in its high half by itself.
 */
sealed interface Condition {

    /** Whatever the arguments are. */
    record Always() implements Condition {}

    /** The argument is one of the values. */
    record OneOf(int argument, List<Integer> values) implements Condition {
        public OneOf {
            checkArgument(argument);
            values = checkValues(values);
        }
    }

    /** The argument is none of the values. */
    record NoneOf(int argument, List<Integer> values) implements Condition {
        public NoneOf {
            checkArgument(argument);
            values = checkValues(values);
        }
    }

    /** The argument has at least one bit of the mask. */
    record AnyBit(int argument, int mask) implements Condition {
        public AnyBit {
            checkArgument(argument);
            if (mask == 0) {
                throw new IllegalArgumentException("an empty mask never applies");
            }
        }
    }

    /** Both hold. */
    record Both(Condition first, Condition second) implements Condition {}

    private static void checkArgument(int argument) {
        if (argument < 0 || argument > 5) {
            throw new IllegalArgumentException("a call has arguments 0 to 5, not " + argument);
        }
    }

    private static List<Integer> checkValues(List<Integer> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no values to compare with");
        }
        return List.copyOf(values);
    }
}
