package dev.carrel.core.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class X8664TableTest {

    private static final Path HEADER = Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h");
    private static final Pattern DEFINITION = Pattern.compile("#define __NR_(\\w+) (\\d+)");

    /** The newest headers are older than the table: only what both know is compared. */
    @Test
    void givesCallsTheNumbersOfTheKernelHeaders() throws IOException {
        Requirements.file(HEADER);
        var header = new HashMap<String, Integer>();
        for (String line : Files.readAllLines(HEADER)) {
            var definition = DEFINITION.matcher(line);
            if (definition.find()) {
                header.put(definition.group(1), Integer.valueOf(definition.group(2)));
            }
        }
        assertThat(header).hasSizeGreaterThan(300);
        int newestOfHeader = header.values().stream().mapToInt(n -> n).max().orElseThrow();
        for (Rule rule : X8664Table.RULES) {
            if (rule.number() <= newestOfHeader) {
                assertThat(header).containsEntry(rule.name(), rule.number());
            }
        }
        assertThat(header.values())
                .noneMatch(n -> n >= X8664Table.GAP_FIRST && n <= X8664Table.GAP_LAST);
    }

    /** Those that Debian's headers do not know yet, from the kernel's own table. */
    @Test
    void givesTheNewestCallsTheNumbersOfTheKernelTable() {
        var newest =
                Map.of(
                        "statmount",
                        457,
                        "listmount",
                        458,
                        "lsm_get_self_attr",
                        459,
                        "lsm_set_self_attr",
                        460,
                        "lsm_list_modules",
                        461,
                        "open_tree_attr",
                        467,
                        "listns",
                        470);
        var table = new HashMap<String, Integer>();
        X8664Table.RULES.forEach(rule -> table.put(rule.name(), rule.number()));
        assertThat(table).containsAllEntriesOf(newest);
    }

    @Test
    void givesEachCallOneNumberAndEachNumberOneName() {
        var names = new HashMap<Integer, String>();
        var numbers = new HashMap<String, Integer>();
        for (Rule rule : X8664Table.RULES) {
            assertThat(names.merge(rule.number(), rule.name(), (a, _) -> a)).isEqualTo(rule.name());
            assertThat(numbers.merge(rule.name(), rule.number(), (a, _) -> a))
                    .isEqualTo(rule.number());
        }
    }

    @Test
    void hasNoRowBehindOneThatAlwaysApplies() {
        var closed = new HashSet<Integer>();
        for (Rule rule : X8664Table.RULES) {
            assertThat(closed).as("%s", rule).doesNotContain(rule.number());
            if (rule.when() instanceof Condition.Always) {
                closed.add(rule.number());
            }
        }
    }

    @Test
    void refusesConditionsThatCannotBeMeant() {
        assertThatThrownBy(() -> new Condition.OneOf(6, List.of(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Condition.NoneOf(0, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Condition.AnyBit(0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Rule.core(X8664Table.NEWEST_KNOWN + 1, "unknown", Errno.EPERM))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Instruction(Instruction.Code.JUMP_EQUAL, 256, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
