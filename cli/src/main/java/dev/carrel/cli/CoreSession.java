package dev.carrel.cli;

import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.session.ApplyChoice;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.LogEntry;
import dev.carrel.core.session.SessionSummary;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Consumer;

/** What the verbs ask of one session. */
interface CoreSession {

    String id();

    /** Whether what it changed can be taken to the host. */
    default boolean canApply() {
        return true;
    }

    /** The names of its repositories. */
    List<String> repos();

    CommandResult run(CommandRequest request) throws InterruptedException;

    List<String> explain(CommandRequest request) throws InterruptedException;

    SessionSummary summary() throws InterruptedException;

    List<RepoChanges> changes(List<String> paths, boolean ignored) throws InterruptedException;

    void printDiff(
            List<String> paths, boolean ignored, DiffFormat format, boolean colour, OutputStream to)
            throws InterruptedException;

    List<String> writePatch(List<String> paths, boolean ignored, OutputStream to)
            throws InterruptedException;

    ApplyPlan planApply(ApplyChoice choice) throws InterruptedException;

    ApplyPlan apply(ApplyChoice choice, Consumer<ApplyPlan> announce) throws InterruptedException;

    ApplyPlan planUndo(boolean partial) throws InterruptedException;

    ApplyPlan undo(boolean partial, Consumer<ApplyPlan> announce) throws InterruptedException;

    List<String> discard(List<String> paths) throws InterruptedException;

    List<LogEntry> log();

    CoreEgress egress();
}
