package dev.carrel.core.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {

    @Test
    void validUtf8IsShownAsItIs() {
        assertThat(Names.display(Names.bytes("Grüße 日本 🦦.txt"))).isEqualTo("Grüße 日本 🦦.txt");
    }

    @Test
    void controlCharactersAreEscapedAsGitDoes() {
        assertThat(Names.display(Names.bytes("a\nb\tc\u001b[31m\u007f\"\\")))
                .isEqualTo("a\\nb\\tc\\033[31m\\177\\\"\\\\");
    }

    @Test
    void invalidBytesAreOctal() {
        byte[] name = {(byte) 0xff, 'a', (byte) 0xc3, (byte) 0xe2, (byte) 0x82};

        assertThat(Names.display(name)).isEqualTo("\\377a\\303\\342\\202");
    }

    @Test
    void overlongAndSurrogateEncodingsAreInvalid() {
        byte[] slash = {(byte) 0xc0, (byte) 0xaf};
        byte[] surrogate = {(byte) 0xed, (byte) 0xa0, (byte) 0x80};

        assertThat(Names.display(slash)).isEqualTo("\\300\\257");
        assertThat(Names.display(surrogate)).isEqualTo("\\355\\240\\200");
    }

    @ParameterizedTest
    @CsvSource({
        "202e, \\342\\200\\256",
        "2066, \\342\\201\\246",
        "200b, \\342\\200\\213",
        "2028, \\342\\200\\250",
        "0085, \\302\\205"
    })
    void whatTurnsTextOrIsInvisibleIsEscaped(String hexCodePoint, String escaped) {
        String character = Character.toString(Integer.parseInt(hexCodePoint, 16));

        assertThat(Names.display(Names.bytes("a" + character + "b")))
                .isEqualTo("a" + escaped + "b");
    }
}
