package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "17, 17",
        "1B, 1",
        "2K, 2048",
        "2KB, 2048",
        "2KiB, 2048",
        "1.5M, 1572864",
        "2 G, 2147483648",
        "1T, 1099511627776",
    })
    void sizesAreInPowersOf1024(String text, BigDecimal bytes) {
        assertThat(Quantity.bytes(text).orElseThrow()).isEqualByComparingTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"90, 90", "90s, 90", "250ms, 0.25", "5m, 300", "1.5h, 5400", "2d, 172800"})
    void timesAreInSeconds(String text, BigDecimal seconds) {
        assertThat(Quantity.seconds(text).orElseThrow()).isEqualByComparingTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({"5m", "2k", "2BB", "G", "-1", "1e3", "''", "2 G B", "1.2.3"})
    void whatIsNoSizeIsNone(String text) {
        assertThat(Quantity.bytes(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5M", "2G", "5 min", "-1s", "''"})
    void whatIsNoTimeIsNone(String text) {
        assertThat(Quantity.seconds(text)).isEmpty();
    }
}
