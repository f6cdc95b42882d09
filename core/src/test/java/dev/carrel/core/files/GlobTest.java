package dev.carrel.core.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "*.java A.java true",
                "*.java src/deep/A.java true",
                "*.java A.javax false",
                "src/*.java src/A.java true",
                "src/*.java src/deep/A.java false",
                "src/**/*.java src/A.java true",
                "src/**/*.java src/a/b/A.java true",
                "src/** src/a/b/A.java true",
                "src/** other/A.java false",
                "?.txt a.txt true",
                "?.txt ä.txt true",
                "?.txt ab.txt false",
                "[a-c].txt b.txt true",
                "[!a-c].txt b.txt false",
                "[!a-c].txt d.txt true",
                "[^a].txt ^.txt true",
                "*.{java,kt} A.kt true",
                "*.{java,kt} A.py false",
                "a+b.txt a+b.txt true",
                "a+b.txt aab.txt false",
                "a.txt abtxt false",
                "[ [ true",
                "} } true",
                "\\*.txt *.txt true",
                "\\*.txt a.txt false"
            })
    void patternsFitAsInAShell(String glob, String path, boolean fits) {
        assertThat(Glob.of(glob).fits(path)).as(glob + " " + path).isEqualTo(fits);
    }

    @Test
    void anUnfinishedPatternIsRefusedWithItsText() {
        assertThatThrownBy(() -> Glob.of("{a,b"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'{a,b'");
        assertThatThrownBy(() -> Glob.of("")).isInstanceOf(InvalidInputException.class);
    }
}
