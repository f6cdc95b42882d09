package dev.carrel.core.seccomp;

import static dev.carrel.core.seccomp.Instruction.Code.JUMP_ANY_BIT;
import static dev.carrel.core.seccomp.Instruction.Code.JUMP_AT_LEAST;
import static dev.carrel.core.seccomp.Instruction.Code.JUMP_EQUAL;
import static dev.carrel.core.seccomp.Instruction.Code.LOAD;
import static dev.carrel.core.seccomp.Instruction.Code.RETURN;

import java.util.ArrayList;
import java.util.List;

/**
 * Pieces of a program. Every piece ends with its own return or falls through to the next one, so
 * that no jump leaves its piece and none comes near the limit of 255.
 *
 * <p>Offsets are those of the kernel's {@code struct seccomp_data}.
 */
final class Assembler {

    private static final int NUMBER = 0;
    private static final int ARCHITECTURE = 4;
    private static final int FIRST_ARGUMENT = 16;

    private Assembler() {}

    static Instruction loadNumber() {
        return load(NUMBER);
    }

    static Instruction loadArchitecture() {
        return load(ARCHITECTURE);
    }

    static Instruction answer(int action) {
        return new Instruction(RETURN, 0, 0, action);
    }

    /** Answers so where the loaded word is the value; falls through where it is not. */
    static List<Instruction> answerIfEqual(int value, int action) {
        return List.of(new Instruction(JUMP_EQUAL, 0, 1, value), answer(action));
    }

    /** Answers so where the loaded word is not the value; falls through where it is. */
    static List<Instruction> answerUnlessEqual(int value, int action) {
        return List.of(new Instruction(JUMP_EQUAL, 1, 0, value), answer(action));
    }

    /** Answers so where the loaded word, unsigned, is in the range, both ends included. */
    static List<Instruction> answerIfBetween(int first, int last, int action) {
        return List.of(
                new Instruction(JUMP_AT_LEAST, 0, 2, first),
                new Instruction(JUMP_AT_LEAST, 1, 0, last + 1),
                answer(action));
    }

    /** Answers so where the loaded word, unsigned, is the value or more. */
    static List<Instruction> answerIfAtLeast(int value, int action) {
        return List.of(new Instruction(JUMP_AT_LEAST, 0, 1, value), answer(action));
    }

    /** Runs the body, which must end with a return, where the loaded word is the value. */
    static List<Instruction> onlyIfEqual(int value, List<Instruction> body) {
        var piece = new ArrayList<Instruction>();
        piece.add(new Instruction(JUMP_EQUAL, 0, body.size(), value));
        piece.addAll(body);
        return piece;
    }

    /** Answers so where the condition holds; falls through where it does not. */
    static List<Instruction> answerIf(Condition condition, int action) {
        var piece = new ArrayList<>(test(condition, 1));
        piece.add(answer(action));
        return piece;
    }

    /** Falls through where the condition holds, skips that many more where it does not. */
    private static List<Instruction> test(Condition condition, int skip) {
        return switch (condition) {
            case Condition.Always _ -> List.of();
            case Condition.OneOf(int argument, List<Integer> values) ->
                    compare(argument, values, 0, skip);
            case Condition.NoneOf(int argument, List<Integer> values) ->
                    compare(argument, values, skip, 0);
            case Condition.AnyBit(int argument, int mask) ->
                    List.of(loadLowHalf(argument), new Instruction(JUMP_ANY_BIT, 0, skip, mask));
            case Condition.Both(Condition first, Condition second) -> {
                List<Instruction> rest = test(second, skip);
                var piece = new ArrayList<>(test(first, rest.size() + skip));
                piece.addAll(rest);
                yield piece;
            }
        };
    }

    /** Skips so many after the piece when some value is equal, so many when none is. */
    private static List<Instruction> compare(
            int argument, List<Integer> values, int skipEqual, int skipOther) {
        var piece = new ArrayList<Instruction>();
        piece.add(loadLowHalf(argument));
        for (int left = values.size() - 1; left >= 0; left--) {
            int value = values.get(values.size() - 1 - left);
            piece.add(
                    new Instruction(
                            JUMP_EQUAL, left + skipEqual, left == 0 ? skipOther : 0, value));
        }
        return piece;
    }

    /** Little-endian: the low half of a 64-bit argument stands first. */
    private static Instruction loadLowHalf(int argument) {
        return load(FIRST_ARGUMENT + 8 * argument);
    }

    private static Instruction load(int offset) {
        return new Instruction(LOAD, 0, 0, offset);
    }
}
