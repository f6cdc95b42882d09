package dev.carrel.core.seccomp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The numbers that one processor's kernel gives to the calls of the {@link Rules}.
 *
 * @param auditArchitecture the architecture word that the kernel shows for 64-bit calls
 * @param numbers of the calls that the processor has
 * @param absent calls that it does not have, said out loud: a call in neither is a mistake
 * @param gaps the ranges that the kernel leaves unassigned
 */
record CallTable(
        int auditArchitecture, Map<String, Integer> numbers, Set<String> absent, List<Gap> gaps) {

    /**
     * The newest call that was judged: rseq_slice_yield of Linux 7.0. A newer kernel's calls answer
     * ENOSYS until somebody has looked at them. Calls since 424 have one number everywhere.
     */
    static final int NEWEST_KNOWN = 471;

    /** Numbers without a call, both ends included. */
    record Gap(int first, int last) {
        Gap {
            if (first < 0 || last < first) {
                throw new IllegalArgumentException("no range: " + first + " to " + last);
            }
        }

        boolean contains(int number) {
            return first <= number && number <= last;
        }
    }

    CallTable {
        numbers = Map.copyOf(numbers);
        absent = Set.copyOf(absent);
        gaps = List.copyOf(gaps);
        var names = new HashMap<Integer, String>();
        for (var row : numbers.entrySet()) {
            int number = row.getValue();
            if (number < 0
                    || number > NEWEST_KNOWN
                    || gaps.stream().anyMatch(gap -> gap.contains(number))) {
                throw new IllegalArgumentException(row.getKey() + " has no number: " + number);
            }
            String other = names.put(number, row.getKey());
            if (other != null || absent.contains(row.getKey())) {
                throw new IllegalArgumentException(row + " contradicts another row");
            }
        }
    }

    /** The one of a processor; empty where nobody has written one. */
    static Optional<CallTable> of(Architecture architecture) {
        if (architecture.equals(Architecture.X86_64)) {
            return Optional.of(X8664Calls.TABLE);
        }
        return architecture.equals(Architecture.AARCH64)
                ? Optional.of(Aarch64Calls.TABLE)
                : Optional.empty();
    }

    /** The number of a call; empty where the processor does not have it. */
    Optional<Integer> number(String call) {
        if (!numbers.containsKey(call) && !absent.contains(call)) {
            throw new IllegalArgumentException("a table without a row for " + call);
        }
        return Optional.ofNullable(numbers.get(call));
    }
}
