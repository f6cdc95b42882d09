package dev.carrel.core.merge;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.UnsupportedHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeSupportTest {

    @ParameterizedTest
    @ValueSource(strings = {"git version 2.38.0", "git version 2.39.5", "git version 3.0.rc1"})
    void aGitThatMergesTreesDoes(String version) {
        assertThatNoException().isThrownBy(() -> MergeSupport.requireIn(version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"git version 2.37.7", "git version 1.99.0", "nonsense"})
    void anOlderOneSaysWhatIsMissing(String version) {
        assertThatThrownBy(() -> MergeSupport.requireIn(version))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContaining("2.38")
                .hasMessageContaining(version);
    }
}
