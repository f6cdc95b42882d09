package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Description.Output;
import dev.carrel.core.config.YamlGroup;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.Nearest;
import dev.carrel.core.policy.Quantity;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the file that describes a command line, and finds all that is wrong with it. */
final class DescriptionReader {

    private static final List<String> KEYS =
            List.of(
                    "name",
                    "program",
                    "installation",
                    "version_arguments",
                    "tested_versions",
                    "least_memory",
                    "refuses_root",
                    "hosts",
                    "key_variables",
                    "arguments",
                    "resume_arguments",
                    "input",
                    "environment",
                    "home_files",
                    "output",
                    "json");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,39}");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String USUAL_MEMORY = "512MiB";

    private final YamlGroup file;

    private DescriptionReader(YamlGroup file) {
        this.file = file;
    }

    /**
     * Reads it.
     *
     * @throws InvalidInputException with all problems, each with its place
     */
    static Description read(Path path) {
        YamlGroup file = YamlGroup.read(path.toAbsolutePath().normalize()).only(KEYS);
        Description description = new DescriptionReader(file).description();
        List<String> problems = file.problems();
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems, null);
        }
        return description;
    }

    private Description description() {
        return new Description(
                name(),
                file.required("program").orElse(""),
                file.text("installation").orElse("see its documentation"),
                file.has("version_arguments")
                        ? file.texts("version_arguments")
                        : List.of("--version"),
                file.texts("tested_versions"),
                leastMemory(),
                flag("refuses_root"),
                hosts(),
                variables(),
                arguments(),
                resumeArguments(),
                promptOnInput(),
                environment(),
                homeFiles(),
                output());
    }

    private String name() {
        String name = file.required("name").orElse("a");
        if (!NAME.matcher(name).matches()) {
            file.complain("name", "'" + name + "' is not allowed; use small letters, digits and _");
        }
        return name;
    }

    private long leastMemory() {
        String text = file.text("least_memory").orElse(USUAL_MEMORY);
        Optional<BigDecimal> bytes = Quantity.bytes(text);
        if (bytes.isEmpty()) {
            file.complain(
                    "least_memory", "'" + text + "' is not allowed; use a size such as 512MiB");
        }
        return bytes.orElse(BigDecimal.ZERO).longValue();
    }

    private boolean flag(String key) {
        String text = file.text(key).orElse("false");
        if (!List.of("true", "false").contains(text)) {
            file.complain(key, "'" + text + "' is not allowed; use true or false");
        }
        return text.equals("true");
    }

    private List<String> hosts() {
        List<String> hosts = file.texts("hosts");
        for (String host : hosts) {
            try {
                EgressRule.allow(host);
            } catch (InvalidInputException wrong) {
                file.complain("hosts", wrong.message());
            }
        }
        return hosts;
    }

    private List<String> variables() {
        List<String> names = file.texts("key_variables");
        names.forEach(name -> variable("key_variables", name));
        return names;
    }

    private void variable(String key, String name) {
        if (!VARIABLE.matcher(name).matches()) {
            file.complain(key, "'" + name + "' is no name of a variable");
        }
    }

    private List<Template.Words> arguments() {
        List<Template.Words> words = words("arguments");
        boolean input = promptText().equals("prompt");
        if (input && mentions(words, "prompt")) {
            file.complain("arguments", "{prompt} goes to standard input already; use input: none");
        } else if (!input && !mentions(words, "prompt")) {
            file.complain("arguments", "{prompt} is missing, since it does not go to the input");
        }
        return words;
    }

    private Optional<List<Template.Words>> resumeArguments() {
        if (!file.has("resume_arguments")) {
            return Optional.empty();
        }
        List<Template.Words> words = words("resume_arguments");
        if (!mentions(words, "conversation")) {
            file.complain("resume_arguments", "{conversation} is missing");
        }
        return Optional.of(words);
    }

    private List<Template.Words> words(String key) {
        List<Template.Words> words =
                file.items(key).stream()
                        .map(item ->
                                switch (item) {
                                    case YamlGroup.Item.One(String text) -> List.of(text);
                                    case YamlGroup.Item.Several(List<String> texts) -> texts;
                                })
                        .map(texts ->
                                new Template.Words(texts.stream().map(Template::new).toList()))
                        .toList();
        words.forEach(some -> some.parts().forEach(part -> known(key, part)));
        return words;
    }

    private static boolean mentions(List<Template.Words> words, String placeholder) {
        return words.stream()
                .flatMap(some -> some.parts().stream())
                .anyMatch(part -> part.names().contains(placeholder));
    }

    private void known(String key, Template template) {
        for (String name : template.names()) {
            if (!Template.NAMES.contains(name)) {
                file.complain(
                        key,
                        "there is no placeholder {"
                                + name
                                + "}; did you mean {"
                                + Nearest.to(name, Template.NAMES)
                                + "}?");
            }
        }
    }

    private String promptText() {
        return file.text("input").orElse("prompt");
    }

    private boolean promptOnInput() {
        String text = promptText();
        if (!List.of("prompt", "none").contains(text)) {
            file.complain("input", "'" + text + "' is not allowed; use prompt or none");
        }
        return text.equals("prompt");
    }

    private Map<String, Template> environment() {
        Map<String, Template> environment = new LinkedHashMap<>();
        file.named("environment")
                .forEach((name, value) -> {
                    variable("environment", name);
                    Template template = new Template(value);
                    known("environment", template);
                    environment.put(name, template);
                });
        return environment;
    }

    private Map<String, String> homeFiles() {
        Map<String, String> files = file.named("home_files");
        for (String name : files.keySet()) {
            if (name.startsWith("/") || List.of(name.split("/", -1)).contains("..")) {
                file.complain("home_files", "'" + name + "' is no path below HOME");
            }
        }
        return files;
    }

    private Output output() {
        String text = file.text("output").orElse("text");
        return switch (text) {
            case "text" -> {
                if (file.has("json")) {
                    file.complain("json", "it has a meaning with output: json_lines alone");
                }
                yield new Output.Text();
            }
            case "json_lines" -> JsonLinesReader.read(file);
            default -> {
                file.complain("output", "'" + text + "' is not allowed; use text or json_lines");
                yield new Output.Text();
            }
        };
    }
}
