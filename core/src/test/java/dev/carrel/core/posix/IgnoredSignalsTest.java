package dev.carrel.core.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class IgnoredSignalsTest {

    @Test
    void bitsOfTheStatusAreSignalsOfATerminal() {
        assertThat(IgnoredSignals.among(List.of("Name:\tjava", "SigIgn:\t0000000000000006")))
                .containsExactly("INT", "QUIT");
        assertThat(IgnoredSignals.among(List.of("SigIgn:\t0000000000380000")))
                .containsExactly("TSTP", "TTIN", "TTOU");
    }

    @Test
    void othersAreNotOfATerminal() {
        assertThat(IgnoredSignals.among(List.of("SigIgn:\t8000000000001001"))).isEmpty();
    }
}
