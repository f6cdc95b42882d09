package dev.carrel.cli;

import dev.carrel.core.failure.InvalidInputException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel completion}. */
@Command(
        name = "carrel completion",
        header = "Print a completion script for a shell.",
        customSynopsis = "carrel completion bash|zsh|fish",
        description = "",
        footer = {
            "",
            "Examples:",
            "  carrel completion bash >~/.local/share/bash-completion/completions/carrel",
            "  source <(carrel completion zsh)               (in ~/.zshrc, after compinit)",
            "  carrel completion fish >~/.config/fish/completions/carrel.fish"
        })
final class CompletionVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    String shell = "";

    @Override
    public int run(Context context) {
        context.out()
                .print(
                        switch (shell) {
                            case "bash" -> Completion.bash();
                            case "zsh" -> Completion.zsh();
                            case "fish" -> Completion.fish();
                            default ->
                                    throw new InvalidInputException(
                                            "there is no completion for '"
                                                    + shell
                                                    + "'; use one of bash, zsh, fish");
                        });
        return ExitCode.OK;
    }
}
