package dev.carrel.core.seccomp;

import dev.carrel.core.policy.SeccompMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Translates the rules for one mode and one table of numbers: the gates first, then one piece for
 * each call that the table has.
 */
final class FilterProgram {

    private static final int KILL_PROCESS = 0x80000000;
    private static final int DENY = 0x00050000;
    private static final int RECORD = 0x7FFC0000;
    private static final int ALLOW = 0x7FFF0000;

    private static final int CANCELLED = -1;

    private final SeccompMode mode;
    private final CallTable table;
    private final List<Rule> rules;

    FilterProgram(SeccompMode mode, CallTable table, List<Rule> rules) {
        this.mode = mode;
        this.table = table;
        this.rules = rules;
    }

    List<Instruction> instructions() {
        var program = new ArrayList<Instruction>(gates());
        rulesByNumber().forEach((number, lines) -> program.addAll(call(number, lines)));
        program.add(Assembler.answer(ALLOW));
        return List.copyOf(program);
    }

    /**
     * The architecture comes first: 32-bit programs, and on x86-64 any program by {@code int 0x80},
     * reach the 32-bit calls, where the same numbers mean other calls. Nothing answers those with
     * an error number, since i386 hides socket families behind a pointer: the process ends.
     */
    private List<Instruction> gates() {
        int unknown = denial(Errno.ENOSYS, Rule.Standing.CORE);
        int foreign = mode == SeccompMode.LOG ? RECORD : KILL_PROCESS;
        var gates = new ArrayList<Instruction>();
        gates.add(Assembler.loadArchitecture());
        gates.addAll(Assembler.answerUnlessEqual(table.auditArchitecture(), foreign));
        gates.add(Assembler.loadNumber());
        // A tracer writes -1 to cancel a call and sets the answer itself.
        gates.addAll(Assembler.answerIfEqual(CANCELLED, ALLOW));
        gates.addAll(Assembler.answerIfAtLeast(CallTable.NEWEST_KNOWN + 1, unknown));
        for (CallTable.Gap gap : table.gaps()) {
            gates.addAll(Assembler.answerIfBetween(gap.first(), gap.last(), unknown));
        }
        return gates;
    }

    private Map<Integer, List<Rule>> rulesByNumber() {
        var calls = new LinkedHashMap<Integer, List<Rule>>();
        for (Rule rule : rules) {
            table.number(rule.call())
                    .ifPresent(number ->
                            calls.computeIfAbsent(number, _ -> new ArrayList<>()).add(rule));
        }
        return calls;
    }

    private List<Instruction> call(int number, List<Rule> lines) {
        var body = new ArrayList<Instruction>();
        for (Rule rule : lines) {
            int action = denial(rule.denial(), rule.standing());
            body.addAll(Assembler.answerIf(rule.when(), action));
        }
        if (!(lines.getLast().when() instanceof Condition.Always)) {
            body.add(Assembler.answer(ALLOW));
        }
        return Assembler.onlyIfEqual(number, body);
    }

    private int denial(Errno errno, Rule.Standing standing) {
        return switch (mode) {
            case ENFORCE -> DENY | errno.number();
            case DEFAULT -> standing == Rule.Standing.CORE ? DENY | errno.number() : RECORD;
            case LOG -> RECORD;
            case OFF -> throw new IllegalStateException("no program without a filter");
        };
    }
}
