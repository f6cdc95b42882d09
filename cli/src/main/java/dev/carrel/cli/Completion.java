package dev.carrel.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Completion scripts. Verbs and options are those of the program itself; ids of sessions are asked
 * for when they are completed.
 */
final class Completion {

    private static final String BASH =
            """
            # Completion of carrel for bash.
            _carrel() {
                local cur=${COMP_WORDS[COMP_CWORD]} verb='' options='' first=1 ids=''
                COMPREPLY=()
                case "${COMP_WORDS[1]-} ${COMP_WORDS[2]-}" in
            @VERBS@    esac
                if [ "$COMP_CWORD" -lt "$first" ]; then
                    return 0
                fi
                case $cur in
                -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
                *)
                    if [ -n "$ids" ] && { [ "$COMP_CWORD" -eq "$first" ] || [ "$ids" = many ]; }; then
                        COMPREPLY=($(compgen -W "$(carrel session list --ids 2>/dev/null)" -- "$cur"))
                    elif [ "$verb" = egress ] && [ "$COMP_CWORD" -eq 3 ]; then
                        COMPREPLY=($(compgen -W 'allow deny reset log' -- "$cur"))
                    elif [ "${COMP_WORDS[COMP_CWORD-1]}" = --session ]; then
                        COMPREPLY=($(compgen -W "$(carrel session list --ids 2>/dev/null)" -- "$cur"))
                    elif [ -z "$verb" ]; then
                        COMPREPLY=($(compgen -W "$options" -- "$cur"))
                    else
                        COMPREPLY=($(compgen -f -- "$cur"))
                    fi
                    ;;
                esac
            }
            complete -o filenames -F _carrel carrel
            """;

    private Completion() {}

    static String bash() {
        StringBuilder cases = new StringBuilder();
        for (Verbs verb : Verbs.values()) {
            String pattern =
                    verb.words().size() == 1 ? "'" + verb.path() + " '*" : "'" + verb.path() + "'";
            cases.append("    ")
                    .append(pattern)
                    .append(") verb='")
                    .append(verb.path())
                    .append("' options='")
                    .append(String.join(" ", options(verb)))
                    .append("' first=")
                    .append(verb.words().size() + 1)
                    .append(" ids=")
                    .append(ids(verb))
                    .append(" ;;\n");
        }
        groups().forEach((word, verbs) ->
                cases.append("    '")
                        .append(word)
                        .append(" '*) options='")
                        .append(String.join(" ", verbs))
                        .append("' first=2 ;;\n"));
        cases.append("    *) options='").append(String.join(" ", firstWords())).append("' ;;\n");
        return BASH.replace("@VERBS@", cases);
    }

    static String zsh() {
        return """
        #compdef carrel
        # Completion of carrel for zsh: that for bash, in its own words.
        autoload -U +X bashcompinit && bashcompinit
        """
                + bash();
    }

    static String fish() {
        StringBuilder script = new StringBuilder("# Completion of carrel for fish.\n");
        script.append(
                """
                function __carrel_at
                    set -l words (commandline -opc)
                    set -e words[1]
                    set -l asked (string split ' ' -- $argv)
                    set -l count (count $asked)
                    test (count $words) -ge $count; and test "$words[1..$count]" = "$asked"
                end
                function __carrel_first
                    test (count (commandline -opc)) -eq 1
                end
                function __carrel_ids
                    carrel session list --ids 2>/dev/null
                end
                """);
        for (String word : firstWords()) {
            script.append("complete -c carrel -f -n __carrel_first -a ").append(word).append('\n');
        }
        groups().forEach((word, verbs) ->
                script.append("complete -c carrel -f -n '__carrel_at ")
                        .append(word)
                        .append("; and test (count (commandline -opc)) -eq 2' -a '")
                        .append(String.join(" ", verbs))
                        .append("'\n"));
        for (Verbs verb : Verbs.values()) {
            fish(verb, script);
        }
        return script.toString();
    }

    private static void fish(Verbs verb, StringBuilder script) {
        String at = "complete -c carrel -n '__carrel_at " + verb.path() + "' ";
        for (String option : options(verb)) {
            script.append(at).append("-l ").append(option.substring(2)).append('\n');
        }
        if (!ids(verb).isEmpty()) {
            script.append(at).append("-f -a '(__carrel_ids)'\n");
        }
        if (verb == Verbs.EGRESS) {
            script.append(at).append("-f -a 'allow deny reset log'\n");
        }
    }

    private static Set<String> firstWords() {
        Set<String> words = new LinkedHashSet<>();
        Arrays.stream(Verbs.values()).forEach(verb -> words.add(verb.words().getFirst()));
        words.addAll(List.of("help", "--help", "--version"));
        return words;
    }

    /** The second words of those verbs that have two. */
    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (Verbs verb : Verbs.values()) {
            if (verb.words().size() > 1) {
                String word = verb.words().getFirst();
                groups.put(
                        word, Verbs.in(word).stream().map(each -> each.words().getLast()).toList());
            }
        }
        return groups;
    }

    private static List<String> options(Verbs verb) {
        CommandSpec spec = VerbHelp.parser(verb.make()).getCommandSpec();
        return spec.options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
                .toList();
    }

    /** Whether session ids are completed: not at all, as the first word, or as every word. */
    private static String ids(Verbs verb) {
        return switch (verb) {
            case EXEC, SHELL, SESSION_SHOW, LOG, EGRESS, DIFF, APPLY, UNDO, DISCARD, PLAN_EXEC ->
                    "one";
            case SESSION_RM -> "many";
            case RUN,
                    AGENT,
                    AGENT_LIST,
                    SESSION_NEW,
                    SESSION_LIST,
                    GC,
                    DOCTOR,
                    CONFIG_CHECK,
                    CONFIG_SHOW,
                    CONFIG_SCHEMA,
                    CONFIG_INIT,
                    CONFIG_IMPORT,
                    PLAN_RUN,
                    COMPLETION ->
                    "";
        };
    }
}
