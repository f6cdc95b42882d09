package dev.carrel.core.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.seccomp.CallTable.Gap;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CallTableTest {

    /** A table and the header that the kernel gives to programs of this processor. */
    record Case(String name, CallTable table, Path header) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> tables() {
        return Stream.of(
                new Case(
                        "amd64",
                        X8664Calls.TABLE,
                        Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")),
                new Case(
                        "aarch64",
                        Aarch64Calls.TABLE,
                        Path.of("/usr/include/asm-generic/unistd.h")));
    }

    /** The newest headers are older than the table: only what both know is compared. */
    @ParameterizedTest
    @MethodSource("tables")
    void givesCallsTheNumbersOfTheKernelHeaders(Case tested) throws IOException {
        Requirements.file(tested.header());
        Map<String, Integer> header = UnistdHeader.read(tested.header());
        assertThat(header).hasSizeGreaterThan(280);
        int newestOfHeader = header.values().stream().mapToInt(n -> n).max().orElseThrow();
        tested.table()
                .numbers()
                .forEach((call, number) -> {
                    if (number <= newestOfHeader) {
                        assertThat(header).containsEntry(call, number);
                    }
                });
        assertThat(tested.table().absent()).noneMatch(header::containsKey);
        assertThat(header.values())
                .noneMatch(n -> tested.table().gaps().stream().anyMatch(gap -> gap.contains(n)));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void hasAGapWhereverTheHeadersHaveOne(Case tested) throws IOException {
        Requirements.file(tested.header());
        Set<Integer> assigned = Set.copyOf(UnistdHeader.read(tested.header()).values());
        var without = new ArrayList<Integer>();
        for (int number = 0; number < assigned.stream().max(Integer::compare).get(); number++) {
            int looked = number;
            if (!assigned.contains(looked)
                    && tested.table().gaps().stream().noneMatch(gap -> gap.contains(looked))) {
                without.add(number);
            }
        }
        // x86-64's uretprobe and uprobe are newer than some headers.
        assertThat(without).isSubsetOf(335, 336);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void hasARowForEveryRuleOrSaysThatTheCallIsAbsent(Case tested) {
        Set<String> rules = Rules.ALL.stream().map(Rule::call).collect(Collectors.toSet());
        var rows = new HashSet<>(tested.table().numbers().keySet());
        rows.addAll(tested.table().absent());
        assertThat(rows).isEqualTo(rules);
    }

    /** Those that Debian's headers do not know yet, from the kernel's own table. */
    @ParameterizedTest
    @MethodSource("tables")
    void givesTheNewestCallsTheNumbersOfTheKernelTable(Case tested) {
        assertThat(tested.table().numbers())
                .containsEntry("statmount", 457)
                .containsEntry("listmount", 458)
                .containsEntry("lsm_get_self_attr", 459)
                .containsEntry("lsm_set_self_attr", 460)
                .containsEntry("lsm_list_modules", 461)
                .containsEntry("open_tree_attr", 467)
                .containsEntry("listns", 470);
    }

    @Test
    void hasOneNumberOnAllProcessorsForCallsSince424() {
        assertThat(newer(Aarch64Calls.TABLE)).isEqualTo(newer(X8664Calls.TABLE)).isNotEmpty();
    }

    @Test
    void lacksACallOnlyWhereItIsSaidSo() {
        assertThat(X8664Calls.TABLE.absent()).isEmpty();
        assertThat(Aarch64Calls.TABLE.number("iopl")).isEmpty();
        assertThatThrownBy(() -> Aarch64Calls.TABLE.number("forgotten"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("forgotten");
    }

    @Test
    void refusesRowsThatCannotBeMeant() {
        refuses(Map.of("unknown", CallTable.NEWEST_KNOWN + 1), Set.of());
        refuses(Map.of("negative", -1), Set.of());
        refuses(Map.of("unassigned", 7), Set.of());
        refuses(Map.of("one", 1, "other", 1), Set.of());
        refuses(Map.of("both", 1), Set.of("both"));
        assertThatThrownBy(() -> new Gap(2, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void refuses(Map<String, Integer> numbers, Set<String> absent) {
        assertThatThrownBy(() -> new CallTable(1, numbers, absent, List.of(new Gap(6, 8))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Map<String, Integer> newer(CallTable table) {
        return table.numbers().entrySet().stream()
                .filter(row -> row.getValue() >= 424)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
