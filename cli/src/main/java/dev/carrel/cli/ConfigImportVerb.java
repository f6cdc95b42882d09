package dev.carrel.cli;

import dev.carrel.core.config.Imported;
import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code carrel config import}. */
@Command(
        name = "carrel config import",
        header = "Convert the settings of another sandbox.",
        customSynopsis = "carrel config import srt|codex FILE",
        description = {
            "",
            "Prints a carrel.yaml on standard output, and on standard error what could not be converted,",
            "and why. srt: the JSON of sandbox-runtime; codex: the config.toml of Codex.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel config import srt ~/.srt-settings.json >carrel.yaml",
            "  carrel config import codex ~/.codex/config.toml"
        })
final class ConfigImportVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();

    @Parameters(index = "0", paramLabel = "KIND", description = "srt or codex.")
    String kind = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "The file to convert.")
    String file = "";

    @Override
    public int run(Context context) {
        Path path = context.directory().resolve(file).normalize();
        Supplier<Imported> conversion =
                switch (kind) {
                    case "srt" -> () -> Imported.ofSrt(path);
                    case "codex" -> () -> Imported.ofCodex(path);
                    default ->
                            throw new InvalidInputException(
                                    "'" + kind + "' cannot be converted; use one of srt, codex");
                };
        try {
            Imported imported = conversion.get();
            context.out().print(imported.yaml());
            imported.notes()
                    .forEach(note -> context.err().println("carrel: " + Human.oneLine(note)));
            return ExitCode.OK;
        } catch (InvalidInputException wrong) {
            // The file is, not the command line.
            new Failures(context.surroundings()).tell(wrong);
            return ExitCode.FAILED;
        }
    }
}
