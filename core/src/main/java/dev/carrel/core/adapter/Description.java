package dev.carrel.core.adapter;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a file says of a command line. Made by {@link DescriptionReader}, which has checked it. */
record Description(
        String name,
        String program,
        String installation,
        List<String> versionArguments,
        List<String> testedVersions,
        long leastMemory,
        boolean refusesRoot,
        List<String> hosts,
        List<String> keyVariables,
        List<Template.Words> arguments,
        Optional<List<Template.Words>> resumeArguments,
        boolean promptOnInput,
        Map<String, Template> environment,
        Map<String, String> homeFiles,
        Output output) {

    /** How its output is read. */
    sealed interface Output {

        /** All of standard output is the answer. */
        record Text() implements Output {}

        /**
         * One JSON object a line. Each pointer is looked for in each line.
         *
         * @param text a message; the last is the answer
         * @param conversation the id of the conversation
         * @param error what went wrong
         * @param success where the sign of success stands
         * @param successValue and what stands there then, as text
         */
        record JsonLines(
                Optional<Pointer> text,
                Optional<Pointer> conversation,
                Optional<Pointer> error,
                Pointer success,
                String successValue,
                Optional<Pointer> inputTokens,
                Optional<Pointer> outputTokens)
                implements Output {}
    }
}
