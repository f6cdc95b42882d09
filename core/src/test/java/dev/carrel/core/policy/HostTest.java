package dev.carrel.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class HostTest {

    /** The table of hosts as they may come over a connection, with what each of them is. */
    @ParameterizedTest(name = "{0} is {1}")
    @CsvFileSource(
            resources = "/dev/carrel/core/policy/hosts.csv",
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "\u0000")
    @Tag("NW-04")
    @Tag("NW-05")
    @Tag("NW-13")
    @Tag("NW-15")
    void everySpellingIsReadAsWhatWouldBeDialledOrRefused(String written, String normal) {
        String text = HostTable.unescaped(written);
        if (normal.equals("refused")) {
            assertThatThrownBy(() -> Host.parse(text))
                    .isInstanceOf(InvalidInputException.class)
                    .satisfies(refused -> assertThat(refused.getMessage()).matches("[ -~]{1,260}"));
        } else {
            assertThat(Host.parse(text)).hasToString(normal);
        }
    }

    @Test
    void theNormalFormIsItsOwnNormalForm() {
        HostTable.rows().stream()
                .map(HostTable.Row::normal)
                .filter(normal -> !normal.equals("refused"))
                .forEach(normal -> assertThat(Host.parse(normal)).hasToString(normal));
    }

    @Test
    void theTableIsAsLongAsItShouldBe() {
        assertThat(HostTable.rows()).hasSizeGreaterThan(150);
        assertThat(HostTable.rows().stream().map(HostTable.Row::written)).doesNotHaveDuplicates();
    }

    /** NW-09: the Turkish small letter of I is another one. */
    @Test
    @Tag("NW-09")
    void theLanguageOfTheMachineDoesNotMatter() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(Host.parse("GITHUB.COM")).isEqualTo(new Host.Name("github.com"));
            assertThat(Host.parseSetting("GITHUB.COM")).isEqualTo(new Host.Name("github.com"));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    @Tag("NW-12")
    void namesOfOtherScriptsAreConvertedInSettings() {
        assertThat(Host.parseSetting("b\u00fccher.example")).hasToString("xn--bcher-kva.example");
        assertThat(Host.parseSetting("\u4f8b\u3048.\u30c6\u30b9\u30c8"))
                .hasToString("xn--r8jz45g.xn--zckzah");
        assertThat(Host.parseSetting("example.org")).hasToString("example.org");
    }

    /** NW-12: what the conversion would drop or fold in silence. */
    @ParameterizedTest
    @CsvFileSource(resources = "/dev/carrel/core/policy/folded.csv", delimiter = '|')
    @Tag("NW-12")
    void whatTheConversionLosesIsRefusedInSettings(String written) {
        String text = HostTable.unescaped(written);
        assertThatThrownBy(() -> Host.parseSetting(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is not a host");
    }

    @Test
    @Tag("NW-10")
    void aNameIsBelowAnotherByWholeLabels() {
        Host.Name above = new Host.Name("allowed.example");
        assertThat(new Host.Name("a.allowed.example").isBelow(above)).isTrue();
        assertThat(new Host.Name("a.b.allowed.example").isBelow(above)).isTrue();
        assertThat(above.isBelow(above)).isFalse();
        assertThat(new Host.Name("evilallowed.example").isBelow(above)).isFalse();
        assertThat(new Host.Name("allowed.example.evil.example").isBelow(above)).isFalse();
        assertThat(new Host.Name("example").isBelow(above)).isFalse();
    }

    @Test
    void aNameThatIsNotNormalIsNoValue() {
        assertThatThrownBy(() -> new Host.Name("A.example"))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> new Host.Name("a.example."))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> new Host.Name("127.1")).isInstanceOf(InvalidInputException.class);
    }
}
