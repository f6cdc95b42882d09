package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SyncingTest {

    private static final long MEBIBYTE = 1 << 20;

    @Test
    void theFileSystemIsSyncedWhileLittleOfOthersIsUnwritten() {
        assertThat(Syncing.of(10, () -> 10 * MEBIBYTE)).isEqualTo(Syncing.TOGETHER);
    }

    @Test
    void fewFilesDoNotWaitForMuchThatOthersWrote() {
        assertThat(Syncing.of(10, () -> 11 * MEBIBYTE)).isEqualTo(Syncing.EACH);
    }

    @Test
    void manyFilesAreNeverSyncedOneByOne() {
        assertThat(Syncing.of(257, () -> Long.MAX_VALUE)).isEqualTo(Syncing.TOGETHER);
    }
}
