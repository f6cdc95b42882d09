package dev.carrel.core.posix;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrnoTest {

    @Test
    void saysWhatHappenedAndTheName() {
        assertThat(Errno.describe(Errno.ENOSPC)).isEqualTo("no space left on the device (ENOSPC)");
        assertThat(Errno.describe(9999)).isEqualTo("error 9999");
    }

    @Test
    void failedCallsAnswerTheNegatedNumber() {
        byte[] missing = "/nonexistent/file".getBytes(US_ASCII);
        int result = Entries.open(Entries.WORKING_DIRECTORY, missing, OpenFlags.READ_ONLY, 0);

        assertThat(result).isEqualTo(-Errno.ENOENT);
        assertThat(Descriptors.close(-1)).isEqualTo(-Errno.EBADF);
    }

    @Test
    void knowsTheMachinesThatAreSupported() {
        assertThat(Machine.of("amd64").statx()).isEqualTo(332);
        assertThat(Machine.of("aarch64").directoryFlag()).isEqualTo(0x4000);
    }
}
