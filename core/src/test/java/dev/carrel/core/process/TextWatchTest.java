package dev.carrel.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TextWatchTest {

    private static boolean seen(String... pieces) {
        TextWatch watch = new TextWatch("cross-device link");
        for (String piece : pieces) {
            byte[] bytes = (piece + "cross-device link").getBytes(StandardCharsets.UTF_8);
            watch.look(bytes, piece.length());
        }
        return watch.seen();
    }

    @Test
    void noticesATextInPieces() {
        assertThat(seen("mv: Invalid cross-device link\n")).isTrue();
        assertThat(seen("ccross-de", "vi", "ce link")).isTrue();
        assertThat(seen("EXDEV: cross-device link not permitted", "more")).isTrue();
    }

    @Test
    void noticesNothingElse() {
        assertThat(seen("cross-device", " lin", "e")).isFalse();
        assertThat(seen()).isFalse();
    }
}
