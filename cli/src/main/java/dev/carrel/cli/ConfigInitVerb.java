package dev.carrel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.config.Starter;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Shell;
import dev.carrel.core.store.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code carrel config init}. */
@Command(
        name = "carrel config init",
        header = "Write a file of settings to begin with.",
        customSynopsis = "carrel config init [--force] [FILE]",
        description = {
            "",
            "Every key is in it as a comment, with what it does and its default. Without FILE it is the",
            "user's own: ~/.config/carrel/carrel.yaml. Its path is printed. A file that exists is left",
            "alone.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel config init",
            "  carrel config init ~/src/carrel.yaml        (for all repositories below ~/src)",
            "  carrel config init carrel.yaml              (in a repository: it may only narrow)"
        })
final class ConfigInitVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();

    @Option(names = "--force", description = "Replace a file that exists.")
    boolean force;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "Where to write it.")
    Optional<String> file = Optional.empty();

    @Override
    public int run(Context context) {
        Path path =
                file.map(text -> context.directory().resolve(text).normalize())
                        .orElseGet(() -> context.configurations().usersFile());
        if (!force && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            String words = file.map(text -> " " + Shell.quote(text)).orElse("");
            throw new ConflictException(
                    path + " exists already", "to replace it: carrel config init --force" + words);
        }
        try {
            Files.createDirectories(Optional.ofNullable(path.getParent()).orElse(path));
        } catch (IOException failed) {
            throw new HostOperationException(
                    "cannot create the directory of " + path + ": " + failed.getMessage(),
                    "name another file: carrel config init FILE",
                    failed);
        }
        AtomicFile.write(path, Starter.text().getBytes(UTF_8));
        context.out().println(path);
        context.tell(List.of("carrel config check · carrel config show"));
        return ExitCode.OK;
    }
}
