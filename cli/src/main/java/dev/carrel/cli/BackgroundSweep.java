package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import java.util.List;
import java.util.Map;

/** Starts a sweep that is overdue in a process of its own, for which nobody waits. */
final class BackgroundSweep {

    /** The launcher names itself; without it there is no program to start. */
    private static final String LAUNCHER = "CARREL_LAUNCHER";

    private BackgroundSweep() {}

    /**
     * To be called last of all. Whatever is wrong is not worth a word after a command that went
     * well: the next sweep by hand tells it.
     */
    static void startIfOverdue(
            CoreSessions sessions, String launcher, Map<String, String> environment) {
        try {
            if (sessions.claimOverdueSweep()) {
                new HostProcessRunner().start(command(launcher, environment));
            }
        } catch (CarrelException e) {
            // See above.
        }
    }

    static String launcher() {
        String launcher = System.getenv(LAUNCHER);
        return launcher == null ? "" : launcher;
    }

    /** In a session of its own, so that no terminal's signals reach it; and after all others. */
    static Command command(String launcher, Map<String, String> environment) {
        return Command.of("setsid", "-f", "nice", "-n", "19", launcher, "gc", "--background")
                .withEnvironment(environment)
                .withStreams(
                        new Command.Input.Nothing(),
                        new Command.Output.Discarded(),
                        new Command.Output.Discarded());
    }

    /** Verbs that look only, or sweep themselves, do not start one. */
    static boolean mayFollow(List<String> words) {
        return Verbs.at(words)
                .filter(verb ->
                        switch (verb) {
                            case RUN,
                                    EXEC,
                                    SHELL,
                                    AGENT,
                                    SESSION_NEW,
                                    SESSION_RM,
                                    APPLY,
                                    UNDO,
                                    DISCARD ->
                                    true;
                            case AGENT_LIST,
                                    SESSION_LIST,
                                    SESSION_SHOW,
                                    LOG,
                                    EGRESS,
                                    DIFF,
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
                        })
                .isPresent();
    }
}
