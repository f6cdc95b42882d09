package dev.carrel.core.seccomp;

import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.seccomp.BpfInterpreter.Call;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * What the filter promises, written a second time as plain code with plain numbers, so that a slip
 * in the table or in the assembler meets a different opinion.
 */
record FilterModel(
        int architecture,
        Special special,
        IntPredicate unassigned,
        Set<Integer> coreEperm,
        Set<Integer> auditedEperm) {

    static final int ALLOW = 0x7fff0000;
    static final int RECORD = 0x7ffc0000;
    static final int KILL = 0x80000000;
    static final int EPERM = 0x00050001;
    static final int ENOSYS = 0x00050026;
    static final int EAFNOSUPPORT = 0x00050061;

    /** Every number that the model needs, of x86-64. */
    static final FilterModel X86_64 =
            new FilterModel(
                    0xC000003E,
                    new Special(16, 41, 53, 56, 272, 135),
                    number -> number > 336 && number < 424,
                    Set.of(248, 249, 250, 321),
                    Set.of(
                            103, 134, 153, 154, 155, 159, 161, 163, 164, 165, 166, 167, 168, 169,
                            170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 212, 227, 246,
                            256, 279, 298, 300, 304, 305, 308, 312, 313, 320, 323, 438, 440, 443,
                            447));

    /** The same of aarch64, which lacks seven of the calls. */
    static final FilterModel AARCH64 =
            new FilterModel(
                    0xC00000B7,
                    new Special(29, 198, 199, 220, 97, 92),
                    number -> (number > 243 && number < 260) || (number > 294 && number < 424),
                    Set.of(217, 218, 219, 280),
                    Set.of(
                            18, 39, 40, 41, 42, 51, 58, 60, 89, 104, 105, 106, 112, 116, 142, 161,
                            162, 170, 171, 224, 225, 238, 239, 241, 262, 265, 266, 268, 272, 273,
                            282, 294, 438, 440, 443, 447));

    private static final Set<Integer> CORE_ENOSYS =
            Set.of(425, 426, 427, 428, 429, 430, 431, 432, 433, 435, 442, 467);
    private static final Set<Integer> AUDITED_ENOSYS = Set.of(457, 458, 459, 460, 461, 470);

    /** The calls with argument rules. */
    record Special(
            int ioctl, int socket, int socketPair, int cloning, int unshare, int personality) {

        int number(int index) {
            return switch (index) {
                case 0 -> ioctl;
                case 1 -> socket;
                case 2 -> socketPair;
                case 3 -> cloning;
                case 4 -> unshare;
                default -> personality;
            };
        }
    }

    static FilterModel of(Architecture architecture) {
        return switch (architecture.name()) {
            case "amd64" -> X86_64;
            case "aarch64" -> AARCH64;
            default -> throw new IllegalArgumentException(architecture.name());
        };
    }

    int action(SeccompMode mode, Call call) {
        if (call.architecture() != architecture) {
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

    private int coreDenial(Call call) {
        int number = call.number();
        int first = (int) call.arguments().a();
        int second = (int) call.arguments().b();
        if (number < 0 || number > 471 || unassigned.test(number)) {
            return ENOSYS;
        }
        if (number == special.ioctl() && (second == 0x5412 || second == 0x541c)) {
            return EPERM;
        }
        if ((number == special.socket() || number == special.socketPair())
                && (first == 38 || first == 40)) {
            return EAFNOSUPPORT;
        }
        if ((number == special.cloning() && (first & 0x7E020000) != 0)
                || (number == special.unshare() && (first & 0x7E020080) != 0)) {
            return EPERM;
        }
        if (CORE_ENOSYS.contains(number)) {
            return ENOSYS;
        }
        return coreEperm.contains(number) ? EPERM : ALLOW;
    }

    private int auditedDenial(Call call) {
        int number = call.number();
        int first = (int) call.arguments().a();
        if (number == special.ioctl() && (int) call.arguments().b() == 0x5423) {
            return EPERM;
        }
        if (number == special.socket() && !Set.of(1, 2, 10, 16).contains(first)) {
            return EAFNOSUPPORT;
        }
        if (number == special.socket() && first == 16 && (int) call.arguments().c() != 0) {
            return EAFNOSUPPORT;
        }
        if (number == special.socketPair() && first != 1) {
            return EAFNOSUPPORT;
        }
        if (number == special.personality() && first != 0 && first != 0x40000 && first != -1) {
            return EPERM;
        }
        if (AUDITED_ENOSYS.contains(number)) {
            return ENOSYS;
        }
        return auditedEperm.contains(number) ? EPERM : ALLOW;
    }
}
