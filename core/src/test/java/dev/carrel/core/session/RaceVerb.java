package dev.carrel.core.session;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.overlay.DiffFormat;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What two users may do to one session at the same time. */
enum RaceVerb {
    RUN,
    CHANGES,
    DIFF,
    PLAN,
    APPLY,
    DISCARD,
    DISCARD_PATH,
    SUMMARY,
    LOG,
    LIST,
    REMOVE,
    REMOVE_FORCE;

    private static final int KILLED = 137;

    /** Whether it leaves everything as it is. */
    boolean looks() {
        return switch (this) {
            case CHANGES, DIFF, PLAN, SUMMARY, LOG, LIST -> true;
            case RUN, APPLY, DISCARD, DISCARD_PATH, REMOVE, REMOVE_FORCE -> false;
        };
    }

    /** Whether it may start, or wait for, what holds the session's mounts. */
    boolean runs() {
        return switch (this) {
            case RUN, DISCARD, DISCARD_PATH, REMOVE, REMOVE_FORCE -> true;
            case CHANGES, DIFF, PLAN, APPLY, SUMMARY, LOG, LIST -> false;
        };
    }

    boolean removes() {
        return this == REMOVE || this == REMOVE_FORCE;
    }

    /** One line: {@code done}, {@code refused} with the reason, or {@code defect}. */
    String attempt(Sessions sessions, String id) {
        try {
            return carryOut(sessions, id);
        } catch (CarrelException e) {
            return ("refused " + e.code() + " " + e.message()).replace('\n', ' ');
        } catch (RuntimeException | InterruptedException | Error e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            return ("defect " + trace).replace('\n', ' ');
        }
    }

    private String carryOut(Sessions sessions, String id) throws InterruptedException {
        switch (this) {
            case RUN -> {
                return run(sessions.find(id));
            }
            case CHANGES -> sessions.find(id).changes(List.of(), true);
            case DIFF ->
                    sessions.find(id)
                            .printDiff(
                                    List.of(),
                                    false,
                                    DiffFormat.PATCH,
                                    false,
                                    OutputStream.nullOutputStream());
            case PLAN -> sessions.find(id).planApply(List.of(), false);
            case APPLY -> sessions.find(id).apply(List.of(), false);
            case DISCARD -> sessions.find(id).discard(List.of());
            case DISCARD_PATH -> sessions.find(id).discard(List.of("/workspace/project/d"));
            case SUMMARY -> sessions.find(id).summary();
            case LOG -> sessions.find(id).log();
            case LIST -> sessions.list();
            case REMOVE -> sessions.remove(id, Sessions.Running.REFUSE);
            case REMOVE_FORCE -> sessions.remove(id, Sessions.Running.END);
        }
        return "done";
    }

    private static String run(Session session) throws InterruptedException {
        CommandResult result =
                session.run(
                        CommandRequest.of("sh", "-c", "echo mine >> c.txt")
                                .with(new CommandRequest.Streams.Captured()));
        return switch (result.exit()) {
            case 0 -> "done";
            case KILLED -> "killed";
            default -> "defect " + result.exit() + ": " + result.errorText();
        };
    }
}
