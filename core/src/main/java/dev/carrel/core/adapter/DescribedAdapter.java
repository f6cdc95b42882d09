package dev.carrel.core.adapter;

import dev.carrel.core.adapter.Invocation.Conversation;
import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An adapter that a file in YAML describes; {@code docs/agents/write-an-adapter.md} has the keys.
 */
final class DescribedAdapter implements AgentAdapter {

    /** The kernel takes no longer word, in bytes with its end (MAX_ARG_STRLEN, 32 pages). */
    private static final int LONGEST_WORD = 131_071;

    private final Path file;
    private final Description description;

    private DescribedAdapter(Path file, Description description) {
        this.file = file;
        this.description = description;
    }

    /**
     * Reads a description.
     *
     * @throws InvalidInputException with all that is wrong with it
     */
    static DescribedAdapter read(Path file) {
        return new DescribedAdapter(file, DescriptionReader.read(file));
    }

    @Override
    public String name() {
        return description.name();
    }

    @Override
    public String origin() {
        return file.toString();
    }

    @Override
    public String program() {
        return description.program();
    }

    @Override
    public String installation() {
        return description.installation();
    }

    @Override
    public List<String> versionArguments() {
        return description.versionArguments();
    }

    @Override
    public List<String> testedVersions() {
        return description.testedVersions();
    }

    @Override
    public long leastMemory() {
        return description.leastMemory();
    }

    @Override
    public boolean refusesRoot() {
        return description.refusesRoot();
    }

    @Override
    public Service service(Optional<String> model) {
        return new Service(description.hosts(), description.keyVariables());
    }

    @Override
    public Launch launch(Invocation invocation) {
        Map<String, String> values = Template.values(invocation);
        List<String> words = new ArrayList<>();
        for (Template.Words some : form(invocation.conversation())) {
            List<String> filled = some.with(values);
            requirePossible(some, filled, words);
            words.addAll(filled);
        }
        words.addAll(invocation.extraArguments());
        Map<String, String> environment = new LinkedHashMap<>();
        description
                .environment()
                .forEach((name, value) ->
                        value.with(values).ifPresent(text -> environment.put(name, text)));
        return new Launch(
                words,
                environment,
                description.homeFiles(),
                description.promptOnInput() ? invocation.prompt() : "");
    }

    private List<Template.Words> form(Conversation conversation) {
        return switch (conversation) {
            case Conversation.New _ -> description.arguments();
            case Conversation.Resumed _ ->
                    description
                            .resumeArguments()
                            .orElseThrow(() ->
                                    new InvalidInputException(
                                            name() + " cannot resume a conversation",
                                            "add resume_arguments to " + file));
        };
    }

    private void requirePossible(Template.Words some, List<String> filled, List<String> before) {
        for (int i = 0; i < filled.size(); i++) {
            Template template = some.parts().get(i);
            String word = filled.get(i);
            if (word.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > LONGEST_WORD) {
                throw new InvalidInputException(
                        name()
                                + " takes "
                                + template.text()
                                + " as a word of its command line,"
                                + " which has at most "
                                + LONGEST_WORD
                                + " bytes");
            }
            boolean free = template.text().startsWith("{") && !before.contains("--");
            if (free && word.startsWith("-") && !filled.subList(0, i).contains("--")) {
                throw new InvalidInputException(
                        name()
                                + " would take "
                                + template.text()
                                + " for an option, since it begins with a dash",
                        "write -- before it, or --option=" + template.text() + ", in " + file);
            }
        }
    }

    @Override
    public EventParser parser(Invocation invocation) {
        return switch (description.output()) {
            case Description.Output.Text _ -> new TextOutput(known(invocation));
            case Description.Output.JsonLines mapping ->
                    new JsonLinesOutput(
                            mapping, known(invocation), invocation.conversation().used());
        };
    }

    /** The id of the conversation, where it is known before it begins. */
    private Optional<String> known(Invocation invocation) {
        return switch (invocation.conversation()) {
            case Conversation.Resumed(String id, _) -> Optional.of(id);
            case Conversation.New(String id) ->
                    description.arguments().stream()
                                    .flatMap(words -> words.parts().stream())
                                    .anyMatch(part -> part.names().contains("conversation"))
                            ? Optional.of(id)
                            : Optional.empty();
        };
    }
}
