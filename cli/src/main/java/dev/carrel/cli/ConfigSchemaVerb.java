package dev.carrel.cli;

import dev.carrel.core.config.Schema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code carrel config schema}. */
@Command(
        name = "carrel config schema",
        header = "Print the JSON Schema of carrel.yaml.",
        customSynopsis = "carrel config schema",
        description = {
            "",
            "JSON Schema 2020-12, the one that config check uses itself. Editors complete and check with",
            "it.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel config schema >~/.config/carrel/carrel.schema.json",
            "  # then, as the first line of carrel.yaml:",
            "  # yaml-language-server: $schema=carrel.schema.json"
        })
final class ConfigSchemaVerb implements Verb {

    @Mixin HelpOption help = new HelpOption();

    @Override
    public int run(Context context) {
        context.out().print(Schema.text());
        return ExitCode.OK;
    }
}
