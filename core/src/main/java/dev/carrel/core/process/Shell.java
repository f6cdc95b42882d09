package dev.carrel.core.process;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Quoting for people, and the shell stage that opens descriptors where nothing else can. */
public final class Shell {

    /** POSIX's ulimit counts the data of a process in KiB and files in blocks of half of that. */
    private static final long DATA_UNIT = 1024;

    private static final long FILE_UNIT = 512;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    /** The words in front of a command that may leave no core dumps. */
    static final List<String> WITHOUT_CORE_DUMPS =
            List.of("sh", "-c", "ulimit -c 0 && exec \"$@\"", "sh");

    private Shell() {}

    /** The words as a POSIX shell would read them back. */
    public static String quote(List<String> words) {
        return String.join(" ", words.stream().map(Shell::quote).toList());
    }

    /** One word as a POSIX shell would read it back. */
    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * The words that open a command's files at their descriptors and become its program. The JDK
     * closes every descriptor above 2 in a child, so a shell has to open them; paths travel as
     * positional parameters, never as shell text. The shell also joins standard output to standard
     * error, whatever kind of file that is.
     */
    static List<String> stage(Command command) {
        List<Command.HandedOver> files = command.handedOver();
        boolean joined = command.standardOutput() instanceof Command.Output.ToStandardError;
        if (files.isEmpty() && !joined && command.bounds().isEmpty()) {
            return command.argv();
        }
        StringBuilder script = new StringBuilder();
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "", "sh"));
        int position = 1;
        if (command.bounds().isPresent()) {
            Command.Bounds bounds = command.bounds().get();
            for (Command.Bounds.Group group : bounds.groups()) {
                script.append("echo 0 >\"${").append(position++).append("}\" || exit 125; ");
                words.add(group.enter().toString());
            }
            script.append(limits(bounds));
        }
        script.append("exec");
        for (Command.HandedOver file : files) {
            String direction =
                    switch (file.access()) {
                        case READ -> "<";
                        case WRITE -> ">";
                        case READ_WRITE -> "<>";
                    };
            script.append(' ')
                    .append(file.descriptor())
                    .append(direction)
                    .append("\"${")
                    .append(position++)
                    .append("}\"");
            words.add(file.path().toString());
        }
        script.append(joined ? " 1>&2; shift " : "; shift ")
                .append(position - 1)
                .append("; exec \"$@\"");
        words.set(2, script.toString());
        words.addAll(command.argv());
        return words;
    }

    /** The words in front of a command that set its bounds and become it. */
    static List<String> bounding(Command.Bounds bounds) {
        List<String> words = stage(Command.of("true").within(bounds));
        return words.subList(0, words.size() - 1);
    }

    private static String limits(Command.Bounds bounds) {
        StringBuilder script = new StringBuilder("ulimit -c 0 || exit 125; ");
        bounds.data()
                .ifPresent(bytes ->
                        script.append("ulimit -d ")
                                .append(bytes / DATA_UNIT)
                                .append(" || exit 125; "));
        bounds.file()
                .ifPresent(bytes ->
                        script.append("ulimit -f ")
                                .append(Math.max(1, bytes / FILE_UNIT))
                                .append(" || exit 125; "));
        return script.toString();
    }
}
