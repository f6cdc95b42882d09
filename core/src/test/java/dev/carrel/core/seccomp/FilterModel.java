package dev.carrel.core.seccomp;

import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.seccomp.BpfInterpreter.Call;
import java.util.Set;

/**
 * What the filter promises, written a second time as plain code with plain numbers, so that a slip
 * in the table or in the assembler meets a different opinion.
 */
final class FilterModel {

    static final int ALLOW = 0x7fff0000;
    static final int RECORD = 0x7ffc0000;
    static final int KILL = 0x80000000;
    static final int EPERM = 0x00050001;
    static final int ENOSYS = 0x00050026;
    static final int EAFNOSUPPORT = 0x00050061;

    private static final Set<Integer> CORE_EPERM = Set.of(248, 249, 250, 321);
    private static final Set<Integer> CORE_ENOSYS =
            Set.of(425, 426, 427, 428, 429, 430, 431, 432, 433, 435, 442, 467);
    private static final Set<Integer> AUDITED_ENOSYS = Set.of(457, 458, 459, 460, 461, 470);
    private static final Set<Integer> AUDITED_EPERM =
            Set.of(
                    103, 134, 153, 154, 155, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171,
                    172, 173, 174, 175, 176, 177, 178, 179, 180, 212, 227, 246, 256, 279, 298, 300,
                    304, 305, 308, 312, 313, 320, 323, 438, 440, 443, 447);

    private FilterModel() {}

    static int action(SeccompMode mode, Call call) {
        if (call.architecture() != 0xC000003E) {
            return mode == SeccompMode.LOG ? RECORD : KILL;
        }
        if (call.number() == -1) {
            return ALLOW;
        }
        int core = coreDenial(call);
        if (core != ALLOW) {
            return mode == SeccompMode.LOG ? RECORD : core;
        }
        int audited = auditedDenial(call);
        return audited == ALLOW || mode == SeccompMode.ENFORCE ? audited : RECORD;
    }

    private static int coreDenial(Call call) {
        int number = call.number();
        int first = (int) call.arguments().a();
        int second = (int) call.arguments().b();
        if (number < 0 || number > 471 || (number > 336 && number < 424)) {
            return ENOSYS;
        }
        if (number == 16 && (second == 0x5412 || second == 0x541c)) {
            return EPERM;
        }
        if ((number == 41 || number == 53) && (first == 38 || first == 40)) {
            return EAFNOSUPPORT;
        }
        if ((number == 56 && (first & 0x7E020000) != 0)
                || (number == 272 && (first & 0x7E020080) != 0)) {
            return EPERM;
        }
        if (CORE_ENOSYS.contains(number)) {
            return ENOSYS;
        }
        return CORE_EPERM.contains(number) ? EPERM : ALLOW;
    }

    private static int auditedDenial(Call call) {
        int number = call.number();
        int first = (int) call.arguments().a();
        if (number == 16 && (int) call.arguments().b() == 0x5423) {
            return EPERM;
        }
        if (number == 41 && !Set.of(1, 2, 10, 16).contains(first)) {
            return EAFNOSUPPORT;
        }
        if (number == 41 && first == 16 && (int) call.arguments().c() != 0) {
            return EAFNOSUPPORT;
        }
        if (number == 53 && first != 1) {
            return EAFNOSUPPORT;
        }
        if (number == 135 && first != 0 && first != 0x40000 && first != -1) {
            return EPERM;
        }
        if (AUDITED_ENOSYS.contains(number)) {
            return ENOSYS;
        }
        return AUDITED_EPERM.contains(number) ? EPERM : ALLOW;
    }
}
