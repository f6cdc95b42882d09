package dev.carrel.core.repo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import org.junit.jupiter.api.Test;

class RepoNameTest {

    @Test
    void namesThatNeedNoQuotingAreValid() {
        for (String name : new String[] {"a", "My.App_2-x", "_x", "9", "a".repeat(64)}) {
            assertThat(RepoName.isValid(name)).as(name).isTrue();
        }
    }

    @Test
    void otherNamesAreNot() {
        for (String name :
                new String[] {
                    "", ".", "..", ".x", "-x", "a b", "a/b", "é", "a\n", "a".repeat(65)
                }) {
            assertThat(RepoName.isValid(name)).as(name).isFalse();
        }
    }

    @Test
    void refusalSaysHowToNameIt() {
        assertThatThrownBy(() -> RepoName.check(".dotfiles"))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        e ->
                                assertThat(e.remedy())
                                        .hasValueSatisfying(
                                                r -> assertThat(r).contains("NAME=DIR")));
    }

    @Test
    void aDirectoryAlwaysGivesAName() {
        assertThat(RepoName.derived("app")).isEqualTo("app");
        assertThat(RepoName.derived("a b,c:d")).isEqualTo("a_b_c_d");
        assertThat(RepoName.derived("-x")).isEqualTo("_-x");
        assertThat(RepoName.derived("x".repeat(100))).hasSize(64);
    }
}
