package dev.carrel.core.repo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GitQuotingTest {

    @Test
    void ordinaryPathsStayAsTheyAre() {
        assertThat(GitQuoting.alternate("/a b/c")).isEqualTo("/a b/c");
    }

    @Test
    void pathsThatALineCannotHoldAreQuotedAndReadBack() {
        for (String path : new String[] {"\"x", "#x", "/a\nb", "/a:b", "/a\\b", "/t\tb:"}) {
            String quoted = GitQuoting.alternate(path);
            assertThat(quoted).startsWith("\"").doesNotContain("\n");
            assertThat(GitQuoting.unquoted(quoted)).isEqualTo(path);
        }
    }

    @Test
    void octalEscapesAreBytes() {
        assertThat(GitQuoting.unquoted("\"caf\\303\\251\"")).isEqualTo("café");
    }

    @Test
    void valuesCannotEndTheirQuotes() {
        assertThat(GitQuoting.value("a\"b\\c\nd")).isEqualTo("\"a\\\"b\\\\c\\nd\"");
    }
}
