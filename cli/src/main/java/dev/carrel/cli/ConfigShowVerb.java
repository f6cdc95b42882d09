package dev.carrel.cli;

import dev.carrel.core.config.Configuration;
import dev.carrel.core.config.Problem;
import dev.carrel.core.config.Value;
import dev.carrel.core.session.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code carrel config show}. */
@Command(
        name = "carrel config show",
        header = "Show the settings in effect, and where each was set.",
        customSynopsis = "carrel config show [--json]",
        description = {
            "",
            "Those for a session that is made in the current directory, defaults included. What --set",
            "would change is not in it. What of the files is not used is told on standard error.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  carrel config show",
            "  carrel --config other.yaml config show --json"
        })
final class ConfigShowVerb implements Verb {

    private static final String BASE = "workspace_base";

    @Mixin HelpOption help = new HelpOption();
    @Mixin JsonOption json = new JsonOption();

    /** One setting; {@code variable} is what it comes from if it is no file. */
    private record Row(
            String key, String text, String json, List<Value.Origin> origins, String variable) {

        static Row of(String key, Value value) {
            String text = value.isNone() ? "none" : value.text();
            return new Row(key, text, value.json(), value.origins(), "");
        }

        String from() {
            if (origins.isEmpty()) {
                return variable.isEmpty() ? "default" : variable;
            }
            return Human.oneLine(
                    String.join(", ", origins.stream().map(Value.Origin::toString).toList()));
        }
    }

    @Override
    public int run(Context context) {
        Configuration configuration = context.settle(List.of(context.directory()));
        List<Row> rows = new ArrayList<>();
        configuration
                .effective()
                .forEach((key, value) ->
                        rows.add(
                                key.equals(BASE)
                                        ? base(context, configuration)
                                        : Row.of(key, value)));
        Stream.concat(
                        configuration.problems().stream().map(Problem::toString),
                        configuration.notices().stream())
                .forEach(text -> context.err().println("carrel: " + Human.oneLine(text)));
        if (json.asked) {
            context.out().println(json(configuration, rows).written());
        } else {
            Table table = new Table().row("KEY", "VALUE", "FROM");
            rows.forEach(row -> table.row(row.key(), Human.oneLine(row.text()), row.from()));
            table.lines().forEach(context.out()::println);
        }
        return ExitCode.OK;
    }

    /** A variable wins over files. */
    private static Row base(Context context, Configuration configuration) {
        Surroundings surroundings = context.surroundings();
        String base =
                Settings.of(
                                surroundings.environment(),
                                surroundings.directory(),
                                surroundings.home(),
                                configuration)
                        .workspaceBase()
                        .toString();
        boolean byVariable =
                !surroundings.environment().getOrDefault(Settings.WORKSPACES, "").isEmpty();
        List<Value.Origin> origins = configuration.set(BASE).map(Value::origins).orElse(List.of());
        return new Row(
                BASE,
                base,
                new Json.Text(base).written(),
                byVariable ? List.of() : origins,
                byVariable ? Settings.WORKSPACES : "");
    }

    private static Json json(Configuration configuration, List<Row> rows) {
        List<Json> settings = new ArrayList<>();
        for (Row row : rows) {
            Json.Fields fields =
                    Json.object().put("key", row.key()).put("value", new Json.Literal(row.json()));
            if (!row.origins().isEmpty()) {
                place(row.origins().getLast(), fields);
            }
            if (row.origins().size() > 1) {
                fields.put(
                        "alsoFrom",
                        new Json.Array(
                                row.origins().subList(0, row.origins().size() - 1).stream()
                                        .<Json>map(origin -> place(origin, Json.object()))
                                        .toList()));
            }
            fields.putIfPresent(
                    "variable", Optional.of(row.variable()).filter(name -> !name.isEmpty()));
            settings.add(fields);
        }
        List<String> files = configuration.files().stream().map(Path::toString).toList();
        return Json.object()
                .put("files", Json.texts(files))
                .put("settings", new Json.Array(settings));
    }

    private static Json.Fields place(Value.Origin origin, Json.Fields to) {
        return to.put("file", origin.file().toString())
                .put("line", origin.at().line())
                .put("column", origin.at().column());
    }
}
