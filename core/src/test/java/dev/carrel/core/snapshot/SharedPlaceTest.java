package dev.carrel.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SharedPlaceTest {

    @Test
    void keysOfDifferentFieldsDiffer() {
        assertThat(SharedPlace.keyOf(List.of("ab", "c")))
                .hasSize(32)
                .isNotEqualTo(SharedPlace.keyOf(List.of("a", "bc")))
                .isNotEqualTo(SharedPlace.keyOf(List.of("ab", "c", "")))
                .isEqualTo(SharedPlace.keyOf(List.of("ab", "c")));
    }
}
