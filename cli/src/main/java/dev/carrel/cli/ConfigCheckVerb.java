package dev.carrel.cli;

import dev.carrel.core.config.Configuration;
import dev.carrel.core.config.Problem;
import dev.carrel.core.config.RepoPlace;
import dev.carrel.core.config.ToCome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel config check}. */
@Command(
        name = "carrel config check",
        header = "Say what is wrong with files of settings.",
        customSynopsis = "carrel config check [FILE]",
        description = {
            "",
            "Without FILE: those that are in effect in the current directory. All problems at once, each",
            "with file, line and column. A FILE in a git work tree is judged as that repository's own,",
            "which may only narrow what the user's file allows; named by --config it is the user's.",
            "The exit code is 1 where something is wrong; warnings are not.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel config check",
            "  carrel config check ~/src/app/carrel.yaml",
            "  carrel --config dotfiles/carrel.yaml config check"
        })
final class ConfigCheckVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The file.")
    Optional<String> file = Optional.empty();

    @Override
    public int run(Context context) {
        Configuration checked = checked(context);
        for (Problem problem : checked.problems()) {
            String kind = problem.kind().failsCheck() ? " error: " : " warning: ";
            context.out()
                    .println(
                            Human.oneLine(
                                    problem.file()
                                            + ":"
                                            + problem.at()
                                            + ":"
                                            + kind
                                            + problem.text()));
        }
        checked.notices().forEach(text -> context.err().println("carrel: " + Human.oneLine(text)));
        ToCome.in(checked).forEach(text -> warn(context, text));
        boolean wrong =
                checked.problems().stream().anyMatch(problem -> problem.kind().failsCheck());
        if (!wrong) {
            context.tell(List.of(summary(checked)));
        }
        return wrong ? ExitCode.FAILED : ExitCode.OK;
    }

    private static void warn(Context context, String text) {
        context.out()
                .println(
                        Human.oneLine(
                                "warning: " + text + " is not supported yet; it is passed over"));
    }

    private static String summary(Configuration checked) {
        return checked.files().isEmpty()
                ? "there is no file of settings here; the defaults are in effect"
                : "nothing is wrong with "
                        + String.join(", ", checked.files().stream().map(Path::toString).toList());
    }

    private Configuration checked(Context context) {
        if (file.isEmpty()) {
            return context.configurations().check(context.places(List.of(context.directory())));
        }
        Path path = context.directory().resolve(file.get()).normalize();
        Path directory = Optional.ofNullable(path.getParent()).orElse(path);
        Optional<RepoPlace> repository =
                context.configFile().equals(Optional.of(path))
                        ? Optional.empty()
                        : context.repositoryAround(directory)
                                .map(_ -> context.places(List.of(directory)).getFirst());
        return context.configurations().check(path, repository);
    }
}
