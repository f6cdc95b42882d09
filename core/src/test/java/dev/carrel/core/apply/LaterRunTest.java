package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.apply.LaterRun.Category;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaterRunTest {

    @ParameterizedTest
    @CsvSource({
        ".husky/pre-commit, GIT_HOOK",
        ".pre-commit-config.yaml, GIT_HOOK",
        ".gitattributes, GIT_HOOK",
        ".github/workflows/ci.yml, CI",
        "sub/.GitHub/Workflows/ci.yml, CI",
        ".gitlab-ci.yml, CI",
        "Jenkinsfile.release, CI",
        "Makefile, BUILD",
        "deep/down/package.json, BUILD",
        "pom.xml, BUILD",
        "mvnw, BUILD",
        "gradlew.bat, BUILD",
        "gradle/wrapper/gradle-wrapper.jar, BUILD",
        "vite.config.ts, BUILD",
        "rules.mk, BUILD",
        ".vscode/tasks.json, EDITOR",
        ".idea/runConfigurations/all.xml, EDITOR",
        ".claude/settings.json, AGENT",
        "CLAUDE.md, AGENT",
        "sub/AGENTS.md, AGENT",
        ".mcp.json, AGENT",
        ".cursor/rules/x.mdc, AGENT",
        ".github/copilot-instructions.md, AGENT",
        ".envrc, SHELL",
        "home/.bashrc, SHELL",
        "Dockerfile, CONTAINER",
        "docker-compose.override.yml, CONTAINER",
        ".devcontainer/devcontainer.json, CONTAINER"
    })
    void filesThatRunLaterAreKnownByTheirNames(String path, Category category) {
        assertThat(Category.of(TreePath.of(path))).contains(category);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/main/java/App.java",
                "README.md",
                "makefile.txt",
                "package.json.bak",
                "workflows/ci.yml",
                "vscode/tasks.json",
                "xMakefile",
                "notes.mk.d"
            })
    void otherFilesAreNot(String path) {
        assertThat(Category.of(TreePath.of(path))).isEmpty();
    }

    @Test
    void aStarStandsForAnyLettersOfOneName() {
        assertThat(NamePatterns.matches("a*b*c", "axbyc")).isTrue();
        assertThat(NamePatterns.matches("a*b*c", "abc")).isTrue();
        assertThat(NamePatterns.matches("a*b*c", "ac")).isFalse();
        assertThat(NamePatterns.matches("ab*ba", "aba")).isFalse();
        assertThat(NamePatterns.matches("*.y*ml", ".yml")).isTrue();
    }

    @Test
    void aNameOfAnyBytesIsJudged() {
        byte[] name = {(byte) 0xff, '/', 'M', 'a', 'k', 'e', 'f', 'i', 'l', 'e'};
        assertThat(Category.of(TreePath.ofBytes(name))).isEqualTo(Optional.of(Category.BUILD));
    }
}
