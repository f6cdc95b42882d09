package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.EgressPolicy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocatTest {

    @TempDir Path directory;

    @Test
    void withoutItNothingIsStartedAndTheCureIsSaid() {
        Path missing = directory.resolve("socat");

        assertThatThrownBy(() -> Socat.require(missing))
                .isInstanceOfSatisfying(
                        UnsupportedHostException.class,
                        refused -> {
                            assertThat(refused.message())
                                    .startsWith("there is no " + missing + " on this machine");
                            assertThat(refused.remedy())
                                    .contains("apt install socat; carrel doctor tries it");
                        });
    }

    @Test
    void aSessionThatReachesNothingNeedsNone() {
        assertThatCode(() -> Socat.requireFor(EgressPolicy.NONE)).doesNotThrowAnyException();
    }
}
