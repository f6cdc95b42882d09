package dev.carrel.core.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import org.junit.jupiter.api.Test;

class EditTest {

    private static final ViewPath PATH = ViewPath.of("/workspace/a/b.txt");

    private static Edit.Outcome edit(String content, String old, String now, boolean everywhere) {
        return new Edit(PATH, old, now, everywhere).of(content.getBytes(UTF_8));
    }

    @Test
    void theOnlyPlaceIsReplacedAndItsLineTold() {
        Edit.Outcome outcome = edit("one\ntwo\nthree\n", "two\nthr", "2\n3", false);

        assertThat(new String(outcome.content(), UTF_8)).isEqualTo("one\n2\n3ee\n");
        assertThat(outcome.replacement()).isEqualTo(new Replacement(1, 2));
    }

    @Test
    void allPlacesAreReplacedOnlyWhenAskedFor() {
        assertThat(new String(edit("aaa a", "a", "bb", true).content(), UTF_8))
                .isEqualTo("bbbbbb bb");
        assertThatThrownBy(() -> edit("x\nx\n", "x", "y", false))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("2 times in /workspace/a/b.txt")
                .hasMessageContaining("[1, 2]");
    }

    @Test
    void placesDoNotOverlap() {
        Edit.Outcome outcome = edit("aaaa", "aa", "b", true);

        assertThat(new String(outcome.content(), UTF_8)).isEqualTo("bb");
        assertThat(outcome.replacement().count()).isEqualTo(2);
    }

    @Test
    void bytesThatAreNotTextStayAsTheyAre() {
        byte[] before = {(byte) 0xff, 'a', 0, (byte) 0xfe};

        assertThat(new Edit(PATH, "a", "ü", false).of(before).content())
                .containsExactly(0xff, 0xc3, 0xbc, 0, 0xfe);
    }

    @Test
    void whatIsNotThereOrWouldChangeNothingIsRefused() {
        assertThatThrownBy(() -> edit("abc", "x", "y", true)).hasMessageContaining("is not in");
        assertThatThrownBy(() -> edit("abc", "", "y", true))
                .hasMessageContaining("at least one character");
        assertThatThrownBy(() -> edit("abc", "a", "a", true)).hasMessageContaining("the same");
    }
}
