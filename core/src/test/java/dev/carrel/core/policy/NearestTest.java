package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

    private static final List<String> NAMES = List.of("calm-otter", "brave-heron", "try");

    @Test
    void aMisspellingMeansTheNearest() {
        assertThat(Nearest.within("calm-oter", NAMES)).contains("calm-otter");
        assertThat(Nearest.within("Brave-heron", NAMES)).contains("brave-heron");
        assertThat(Nearest.within("tri", NAMES)).contains("try");
        assertThat(Nearest.within("tyr", NAMES)).contains("try");
    }

    @Test
    void somethingElseMeansNone() {
        assertThat(Nearest.within("silver-bison", NAMES)).isEmpty();
        assertThat(Nearest.within("x", NAMES)).isEmpty();
        assertThat(Nearest.within("", NAMES)).isEmpty();
        assertThat(Nearest.within("try", List.of())).isEmpty();
    }
}
