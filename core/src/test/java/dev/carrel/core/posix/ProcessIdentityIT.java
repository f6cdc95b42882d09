package dev.carrel.core.posix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.testing.Requirements;
import org.junit.jupiter.api.Test;

class ProcessIdentityIT {

    @Test
    void aProcessIsAliveUntilItIsKilled() throws Exception {
        Process sleep = new ProcessBuilder(sleep(), "60").start();
        ProcessIdentity identity = ProcessIdentity.of(sleep.pid()).orElseThrow();
        assertThat(identity.isAlive()).isTrue();

        sleep.destroyForcibly().waitFor();

        assertThat(identity.isAlive()).isFalse();
    }

    private static String sleep() {
        return Requirements.program("sleep").toString();
    }
}
