package dev.carrel.core.seccomp;

/** Makes arguments to which a row of the table applies. */
final class Rows {

    private Rows() {}

    /** Six arguments that fulfil the condition, with the given bits in every high half. */
    static long[] matching(Condition condition, long highHalf) {
        long[] arguments = new long[6];
        fulfil(condition, arguments);
        for (int index = 0; index < 6; index++) {
            arguments[index] |= highHalf;
        }
        return arguments;
    }

    private static void fulfil(Condition condition, long[] arguments) {
        switch (condition) {
            case Condition.Always _ -> {}
            case Condition.OneOf(int argument, var values) ->
                    arguments[argument] = Integer.toUnsignedLong(values.getLast());
            case Condition.NoneOf(int argument, var values) ->
                    arguments[argument] =
                            1L
                                    + values.stream()
                                            .filter(v -> v != -1)
                                            .mapToInt(v -> v)
                                            .max()
                                            .orElse(0);
            case Condition.AnyBit(int argument, int mask) ->
                    arguments[argument] = Integer.toUnsignedLong(Integer.lowestOneBit(mask));
            case Condition.Both(Condition first, Condition second) -> {
                fulfil(first, arguments);
                fulfil(second, arguments);
            }
        }
    }
}
