package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Invocation.Conversation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Codex: {@code codex exec}. What npm puts on the PATH is a script for Node that starts the native
 * program of a package beside it; that program is called here, with its folder left whole. The
 * prompt is read from standard input. It has no limit of turns: the parser counts.
 */
final class Codex implements AgentAdapter {

    private static final long MEBI = 1L << 20;

    @Override
    public String name() {
        return "codex";
    }

    @Override
    public String program() {
        return "codex";
    }

    @Override
    public Path executable(Path found) {
        Path folder = found.getParent();
        Path main = folder == null ? null : folder.getParent();
        if (main == null || !found.endsWith("codex.js")) {
            return found;
        }
        return Stream.of("x64", "arm64")
                .flatMap(processor -> natives(main, processor))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(found);
    }

    /** Within the package, beside it, and in the package itself, as older ones have it. */
    private static Stream<Path> natives(Path main, String processor) {
        String triple = (processor.equals("x64") ? "x86_64" : "aarch64") + "-unknown-linux-musl";
        String name = "codex-linux-" + processor;
        return Stream.of(
                        main.resolve("node_modules/@openai").resolve(name),
                        main.resolveSibling(name),
                        main)
                .map(home -> home.resolve("vendor").resolve(triple).resolve("bin/codex"));
    }

    @Override
    public String installation() {
        return "npm install -g @openai/codex";
    }

    @Override
    public List<String> testedVersions() {
        return List.of("0.171.0");
    }

    @Override
    public long leastMemory() {
        return 512 * MEBI;
    }

    /** It does not look at OPENAI_API_KEY. */
    @Override
    public Service service(Optional<String> model) {
        return new Service(List.of("api.openai.com"), List.of("CODEX_API_KEY"));
    }

    @Override
    public Launch launch(Invocation invocation) {
        List<String> words = new ArrayList<>();
        words.add("exec");
        if (invocation.conversation() instanceof Conversation.Resumed) {
            words.add("resume");
        }
        words.addAll(
                List.of(
                        "--json",
                        "--skip-git-repo-check",
                        "--dangerously-bypass-approvals-and-sandbox"));
        words.addAll(quiet());
        invocation.model().ifPresent(model -> words.addAll(List.of("-m", model)));
        invocation
                .baseUrl()
                .ifPresent(
                        url -> words.addAll(List.of("-c", "openai_base_url=" + TomlText.of(url))));
        words.addAll(invocation.extraArguments());
        words.add("--");
        if (invocation.conversation() instanceof Conversation.Resumed(String id, _)) {
            words.add(id);
        }
        words.add("-");
        return new Launch(words, Map.of(), Map.of(), invocation.prompt());
    }

    private static List<String> quiet() {
        List<String> words = new ArrayList<>();
        for (String setting :
                List.of(
                        "analytics.enabled=false",
                        "check_for_update_on_startup=false",
                        "skills.bundled.enabled=false",
                        // Keeps variables with KEY, SECRET or TOKEN from the commands that it runs.
                        "shell_environment_policy.ignore_default_excludes=false")) {
            words.addAll(List.of("-c", setting));
        }
        for (String feature : List.of("plugins", "apps", "api_key_model_discovery")) {
            words.addAll(List.of("--disable", feature));
        }
        return words;
    }

    @Override
    public EventParser parser(Invocation invocation) {
        return new CodexEvents(invocation.conversation(), invocation.maxTurns());
    }
}
