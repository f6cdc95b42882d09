package dev.carrel.core.apply;

import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file that is written and that some program executes or obeys later, outside of any sandbox.
 * Named before anything is written; which files count is a closed list, {@link Category}.
 *
 * @param repo the repository's name in the session
 */
public record LaterRun(String repo, TreePath path, Category category) {

    private static final int EXECUTE_BITS = 0111;

    /**
     * What makes such a file run. A pattern that ends with a slash stands for all below a directory
     * of that name, one with a slash inside for a file in a directory of that name, any other for
     * the file's name; a star stands for any letters of one name. Case does not matter.
     */
    public enum Category {
        /** Programs that git or a manager of hooks starts. */
        GIT_HOOK(
                "git hook",
                ".husky/",
                ".githooks/",
                "githooks/",
                "git-hooks/",
                ".git-hooks/",
                ".pre-commit-config.y*ml",
                ".pre-commit-hooks.y*ml",
                "lefthook.y*ml",
                ".lefthook.y*ml",
                "lefthook-local.y*ml",
                ".overcommit.yml",
                ".lintstagedrc*",
                "lint-staged.config.*",
                ".gitattributes",
                ".gitmodules",
                ".gitconfig"),
        /** What servers run on a push. */
        CI(
                "CI",
                ".github/workflows/",
                ".github/actions/",
                ".gitea/workflows/",
                ".forgejo/workflows/",
                ".circleci/",
                ".buildkite/",
                ".woodpecker/",
                ".teamcity/",
                ".ci/",
                ".gitlab-ci.y*ml",
                ".gitlab/",
                ".woodpecker.y*ml",
                ".drone.y*ml",
                ".travis.y*ml",
                ".appveyor.y*ml",
                "appveyor.y*ml",
                "azure-pipelines*.y*ml",
                "bitbucket-pipelines.y*ml",
                "cloudbuild.y*ml",
                "jenkinsfile*",
                "action.y*ml",
                "renovate.json*",
                ".github/dependabot.y*ml"),
        /** What builds, installs and tests. */
        BUILD(
                "build script",
                "makefile",
                "gnumakefile",
                "*.mk",
                "justfile",
                ".justfile",
                "taskfile.y*ml",
                "package.json",
                ".npmrc",
                ".yarnrc*",
                ".yarn/",
                ".pnpmfile.*",
                "pnpm-workspace.y*ml",
                "bunfig.toml",
                "deno.json*",
                "pom.xml",
                ".mvn/",
                "mvnw*",
                "build.gradle*",
                "settings.gradle*",
                "gradlew*",
                "gradle.properties",
                "gradle/wrapper/",
                "buildsrc/",
                "build.xml",
                "*.sbt",
                "build.rs",
                "cargo.toml",
                ".cargo/",
                "cmakelists.txt",
                "*.cmake",
                "meson.build",
                "configure*",
                "sconstruct",
                "wscript",
                "build",
                "build.bazel",
                "workspace",
                "workspace.bazel",
                "module.bazel",
                ".bazelrc",
                "*.bzl",
                "setup.py",
                "setup.cfg",
                "pyproject.toml",
                "conftest.py",
                "noxfile.py",
                "tox.ini",
                "sitecustomize.py",
                "*.pth",
                "gemfile",
                "rakefile",
                "*.gemspec",
                "*.csproj",
                "*.targets",
                "*.props",
                "mix.exs",
                "composer.json",
                "build.zig",
                "flake.nix",
                "default.nix",
                "shell.nix",
                "*.config.js",
                "*.config.cjs",
                "*.config.mjs",
                "*.config.ts",
                ".eslintrc*",
                ".prettierrc*",
                ".babelrc*",
                "gulpfile.*",
                "gruntfile.*",
                "procfile"),
        /** What editors start when a project is opened, built or run. */
        EDITOR(
                "editor task",
                ".vscode/",
                ".idea/",
                "*.code-workspace",
                ".zed/",
                ".fleet/",
                ".run/",
                ".vs/",
                ".nvim.lua",
                ".nvimrc",
                ".exrc",
                ".vimrc",
                ".vim/",
                ".dir-locals.el",
                ".sublime-project",
                "*.sublime-project",
                ".project",
                ".classpath",
                ".settings/"),
        /** What coding agents obey. */
        AGENT(
                "agent configuration",
                ".claude/",
                "claude*.md",
                ".mcp.json",
                "mcp.json",
                "agents*.md",
                ".agents/",
                ".codex/",
                ".cursor/",
                ".cursorrules",
                ".windsurf/",
                ".windsurfrules",
                ".clinerules*",
                ".roo/",
                ".aider*",
                ".gemini/",
                "gemini.md",
                ".continue/",
                ".opencode/",
                "opencode.json*",
                ".github/copilot-instructions.md",
                ".github/prompts/",
                ".github/agents/",
                ".github/instructions/",
                "skill.md",
                "carrel.yaml",
                "codumentor.yaml"),
        /** What shells and version managers read on the way in. */
        SHELL(
                "shell start-up",
                ".envrc",
                ".env",
                ".env.*",
                ".bashrc",
                ".bash_profile",
                ".bash_login",
                ".bash_logout",
                ".profile",
                ".zshrc",
                ".zshenv",
                ".zprofile",
                ".zlogin",
                ".inputrc",
                "config.fish",
                ".autoenv*",
                "mise.toml",
                ".mise.toml",
                ".mise/",
                ".tool-versions",
                ".nvmrc",
                ".gdbinit",
                ".lldbinit"),
        /** What builds or starts containers and machines. */
        CONTAINER(
                "container",
                "dockerfile*",
                "*.dockerfile",
                "containerfile*",
                ".dockerignore",
                "docker-compose*.y*ml",
                "compose*.y*ml",
                ".devcontainer/",
                ".devcontainer.json",
                "vagrantfile",
                ".gitpod.y*ml",
                "devfile.yaml",
                "skaffold.yaml"),
        /** It may be executed, and could not before. */
        EXECUTABLE("newly executable");

        private final String label;

        @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of texts
        private final List<String> patterns;

        Category(String label, String... patterns) {
            this.label = label;
            this.patterns = List.of(patterns);
        }

        /** For people. */
        public String label() {
            return label;
        }

        static Optional<Category> of(TreePath path) {
            return Patterns.ALL.match(path);
        }
    }

    /** Made when they are first needed. */
    private static final class Patterns {

        static final NamePatterns<Category> ALL = new NamePatterns<>();

        static {
            for (Category category : Category.values()) {
                category.patterns.forEach(pattern -> ALL.add(pattern, category));
            }
        }

        private Patterns() {}
    }

    static List<LaterRun> of(List<Batch> batches) {
        List<LaterRun> runs = new ArrayList<>();
        for (Batch batch : batches) {
            for (Planned planned : batch.operations()) {
                category(planned)
                        .ifPresent(category ->
                                runs.add(
                                        new LaterRun(
                                                batch.repoName(),
                                                planned.operation().path(),
                                                category)));
            }
        }
        return runs;
    }

    private static Optional<Category> category(Planned planned) {
        TreePath path = planned.operation().path();
        boolean wasExecutable =
                planned.present().filter(s -> (s.mode() & EXECUTE_BITS) != 0).isPresent();
        return switch (planned.operation()) {
            case Operation.Write write ->
                    Category.of(path).or(() -> executable(write.mode(), wasExecutable));
            case Operation.Link _ -> Category.of(path);
            case Operation.ChangeMode change ->
                    planned.present()
                            .filter(status -> status.type() == FileType.REGULAR)
                            .flatMap(_ -> executable(change.to(), wasExecutable));
            case Operation.MakeDirectory _, Operation.Remove _, Operation.RemoveDirectory _ ->
                    Optional.empty();
        };
    }

    private static Optional<Category> executable(int mode, boolean wasExecutable) {
        return (mode & EXECUTE_BITS) != 0 && !wasExecutable
                ? Optional.of(Category.EXECUTABLE)
                : Optional.empty();
    }
}
