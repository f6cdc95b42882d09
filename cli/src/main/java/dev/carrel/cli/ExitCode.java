package dev.carrel.cli;

/** The codes of the program itself; a command's own code passes through. */
final class ExitCode {

    /** Yes, done. */
    static final int OK = 0;

    /** No, failed. */
    static final int FAILED = 1;

    /** The command line is wrong. */
    static final int USAGE = 2;

    /** Carrel failed where a code of 1 would look like the command's. */
    static final int CARREL_FAILED = 125;

    /** Ended by SIGINT. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}

    static int failed(Verbs verb) {
        return passesThrough(verb) ? CARREL_FAILED : FAILED;
    }

    static int wrongUsage(Verbs verb) {
        return passesThrough(verb) ? CARREL_FAILED : USAGE;
    }

    /** Whether the verb answers with the exit code of a command. */
    static boolean passesThrough(Verbs verb) {
        return switch (verb) {
            case RUN, EXEC, SHELL -> true;
            case AGENT,
                    AGENT_LIST,
                    SESSION_NEW,
                    SESSION_LIST,
                    SESSION_SHOW,
                    SESSION_RM,
                    LOG,
                    EGRESS,
                    DIFF,
                    APPLY,
                    UNDO,
                    DISCARD,
                    GC,
                    DOCTOR,
                    CONFIG_CHECK,
                    CONFIG_SHOW,
                    CONFIG_SCHEMA,
                    CONFIG_INIT,
                    CONFIG_IMPORT,
                    PLAN_RUN,
                    PLAN_EXEC,
                    COMPLETION ->
                    false;
        };
    }
}
