package dev.carrel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawWordsTest {

    private static final byte[] LATIN = {'c', 'a', 'f', (byte) 0xe9};

    @TempDir Path directory;

    private Path process(byte[] argument) throws IOException {
        ByteArrayOutputStream words = new ByteArrayOutputStream();
        for (String word : List.of("java", "-cp", "x", "run")) {
            words.write(word.getBytes(StandardCharsets.UTF_8));
            words.write(0);
        }
        words.write(argument);
        words.write(0);
        return Files.write(directory.resolve("cmdline"), words.toByteArray());
    }

    @Test
    void refusesWhatIsNotUtf8() throws Exception {
        String decoded = new String(LATIN, StandardCharsets.UTF_8);

        assertThatThrownBy(() -> RawWords.require(List.of("run", decoded), process(LATIN)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("the argument 'caf\ufffd' is not UTF-8");
    }

    @Test
    void takesAReplacementCharacterThatTheCallerWrote() throws Exception {
        String written = "a\ufffd";
        Path process = process(written.getBytes(StandardCharsets.UTF_8));

        assertThatNoException()
                .isThrownBy(() -> RawWords.require(List.of("run", written), process));
    }

    @Test
    void looksOnlyIfSomethingIsOdd() {
        assertThatNoException()
                .isThrownBy(() ->
                        RawWords.require(List.of("run", "café"), directory.resolve("missing")));
        assertThatThrownBy(() -> RawWords.require(List.of("\ufffd"), directory.resolve("missing")))
                .hasMessageContaining("missing");
    }

    @Test
    void theProgramAnswersAsForAWrongArgument() throws Exception {
        FakeProgram program = new FakeProgram();
        String decoded = new String(LATIN, StandardCharsets.UTF_8);

        assertThat(program.carrelFrom(process(LATIN), "run", decoded)).isEqualTo(125);
        assertThat(program.err()).contains("is not UTF-8");
        assertThat(program.sessions.created).isEmpty();
    }
}
