package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.InvalidInputException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SeccompModeTest {

    @ParameterizedTest
    @EnumSource
    void readsTheNameThatItWrites(SeccompMode mode) {
        assertThat(SeccompMode.parse(mode.toString())).isEqualTo(mode);
    }

    @Test
    void writesLowerCaseNames() {
        assertThat(Arrays.stream(SeccompMode.values()).map(SeccompMode::toString))
                .containsExactly("default", "log", "enforce", "off");
    }

    @ParameterizedTest
    @CsvSource({
        "enforced, enforce",
        "ENFORCE, enforce",
        "enf, enforce",
        "defualt, default",
        "logs, log",
        "of, off"
    })
    void namesAllModesAndTheNearestForAnUnknownOne(String text, String nearest) {
        assertThatThrownBy(() -> SeccompMode.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("default, log, enforce, off")
                .satisfies(failure ->
                        assertThat(((CarrelException) failure).remedy())
                                .hasValueSatisfying(remedy ->
                                        assertThat(remedy).contains("'" + nearest + "'")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "off ", "Default"})
    void isExactAboutCaseAndSpaces(String text) {
        assertThatThrownBy(() -> SeccompMode.parse(text)).isInstanceOf(InvalidInputException.class);
    }
}
