package dev.carrel.core.repo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.TreePath;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StatusRecordTest {

    private static final String IDS = "1111111 2222222";

    private static StatusRecord parse(String record) {
        return StatusRecord.parse(record.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void changedFileIsInTheCommit() {
        assertThat(parse("1 .M N... 100644 100644 100644 " + IDS + " a b/c d"))
                .isEqualTo(new StatusRecord(TreePath.of("a b/c d"), true, false));
    }

    @Test
    void addedFileIsNotInTheCommit() {
        assertThat(parse("1 A. N... 000000 100644 100644 " + IDS + " new").inCommit()).isFalse();
    }

    @Test
    void unmergedFileIsInTheCommitIfOurSideHasIt() {
        String modes = "u UU N... 100644 %s 100644 100644 1111111 2222222 3333333 x";
        assertThat(parse(modes.formatted("100644")).inCommit()).isTrue();
        assertThat(parse(modes.formatted("000000")).inCommit()).isFalse();
    }

    @Test
    void nestedRepositoryIsADirectory() {
        assertThat(parse("? nested/"))
                .isEqualTo(new StatusRecord(TreePath.of("nested"), false, true));
    }

    @Test
    void unknownRecordIsRefused() {
        assertThatThrownBy(() -> parse("2 R. x")).isInstanceOf(HostOperationException.class);
    }
}
