package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.posix.DescriptorLimit;
import dev.carrel.core.posix.Errno;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RS-08")
class ConnectionShareTest {

    private static long flood(ConnectionShare share) {
        long had = 0;
        while (share.take(had)) {
            had++;
        }
        return had;
    }

    @Test
    void halfOfTheDescriptorsIsLeft() {
        assertThat(ConnectionShare.most(1024)).isEqualTo(256);
        assertThat(ConnectionShare.most(Long.MAX_VALUE)).isGreaterThan(1_000_000_000);
        assertThat(DescriptorLimit.now()).isGreaterThan(100);
    }

    @Test
    void aLimitThatCannotBeReadIsNoShare() {
        assertThatThrownBy(() -> ConnectionShare.most(-Errno.EPERM))
                .isInstanceOf(HostOperationException.class);
    }

    @Test
    void whoeverFloodsLeavesAsMuchToTheOthers() {
        ConnectionShare share = new ConnectionShare(256);
        assertThat(flood(share)).isEqualTo(128);
        assertThat(flood(share)).isEqualTo(64);
        assertThat(share.take(0)).isTrue();
    }

    @Test
    void whatIsGivenBackCanBeTaken() {
        ConnectionShare share = new ConnectionShare(4);
        long had = flood(share);
        assertThat(share.take(had)).isFalse();
        share.giveBack();
        assertThat(share.take(had - 1)).isTrue();
    }
}
