package dev.carrel.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All sub-commands, in the order in which help lists them. Only the one that is called is ever
 * made, since making a parser for each would cost more than most of them take.
 */
enum Verbs {
    RUN("run", "Run a command in an isolated copy of a repository", RunVerb::new),
    EXEC("exec", "Run a command in an existing session", ExecVerb::new),
    SHELL("shell", "Open a shell in an existing session", ShellVerb::new),
    SESSION_NEW("session new", "Make a session and print its id", SessionNewVerb::new),
    SESSION_LIST("session list", "List the sessions", SessionListVerb::new),
    SESSION_SHOW("session show", "Show what is known of a session", SessionShowVerb::new),
    SESSION_RM("session rm", "Remove sessions and all they hold", SessionRemoveVerb::new),
    LOG("log", "List the commands of a session", LogVerb::new),
    EGRESS("egress", "Show and change what a session may reach", EgressVerb::new),
    AGENT_LIST("agent list", "List the coding agents that can be run", AgentListVerb::new),
    AGENT("agent", "Have a coding agent do something in a session", AgentVerb::new),
    DIFF("diff", "Show what a session changed", DiffVerb::new),
    APPLY("apply", "Take the changes of a session into the repository", ApplyVerb::new),
    UNDO("undo", "Take the last apply of a session back", UndoVerb::new),
    DISCARD("discard", "Throw changes of a session away", DiscardVerb::new),
    GC("gc", "Remove sessions and snapshots that nobody uses any more", GcVerb::new),
    DOCTOR("doctor", "Try what sessions need of this machine", DoctorVerb::new),
    CONFIG_CHECK("config check", "Say what is wrong with files of settings", ConfigCheckVerb::new),
    CONFIG_SHOW(
            "config show",
            "Show the settings in effect, and where each was set",
            ConfigShowVerb::new),
    CONFIG_SCHEMA("config schema", "Print the JSON Schema of carrel.yaml", ConfigSchemaVerb::new),
    CONFIG_INIT("config init", "Write a file of settings to begin with", ConfigInitVerb::new),
    CONFIG_IMPORT(
            "config import", "Convert the settings of another sandbox", ConfigImportVerb::new),
    PLAN_RUN("plan run", "Print what run would do, without doing it", PlanRunVerb::new),
    PLAN_EXEC("plan exec", "Print what exec would do, without doing it", PlanExecVerb::new),
    COMPLETION("completion", "Print a completion script for a shell", CompletionVerb::new);

    private final String path;
    private final String summary;

    @SuppressWarnings("ImmutableEnumChecker") // a constructor reference
    private final Supplier<Verb> making;

    Verbs(String path, String summary, Supplier<Verb> making) {
        this.path = path;
        this.summary = summary;
        this.making = making;
    }

    /** Its words: {@code session new}. */
    String path() {
        return path;
    }

    List<String> words() {
        return List.of(path.split(" "));
    }

    /** What it does, in one line. */
    String summary() {
        return summary;
    }

    Verb make() {
        return making.get();
    }

    /** The verb that a command line begins with. */
    static Optional<Verbs> at(List<String> words) {
        return Arrays.stream(values()).filter(verb -> startsWith(words, verb.words())).findFirst();
    }

    /** The verbs that begin with this word. */
    static List<Verbs> in(String word) {
        return Arrays.stream(values())
                .filter(verb -> verb.words().getFirst().equals(word))
                .toList();
    }

    private static boolean startsWith(List<String> words, List<String> beginning) {
        return words.size() >= beginning.size()
                && words.subList(0, beginning.size()).equals(beginning);
    }
}
