package dev.carrel.cli;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.session.CommandResult;
import java.util.List;

/** What happens to a session, and what is said of it, after a command ran in it. */
record AfterRun(Context context, CoreSession session, Fate fate) {

    /** What becomes of the session. */
    enum Fate {
        /** It is removed. */
        REMOVE,
        /** It stays. */
        KEEP,
        /** It stays if something changed in it. */
        KEEP_CHANGES
    }

    void report(CommandResult result, boolean json) throws InterruptedException {
        result.hint().ifPresent(hint -> context.err().println("carrel: " + Human.oneLine(hint)));
        boolean asked = json || context.surroundings().talks() || fate == Fate.KEEP_CHANGES;
        List<RepoChanges> changes = asked ? session.changes(List.of(), false) : List.of();
        boolean kept = settle(ChangeReport.isChanged(changes));
        new LimitReport(result).tell(context);
        network(result, kept).tell(context);
        if (json) {
            context.out().println(object(result, changes, kept).written());
        } else {
            context.tell(lines(changes, kept));
        }
    }

    /** A signal has ended the command; what it changed until then is treated as always. */
    void reportInterrupted() throws InterruptedException {
        List<RepoChanges> changes =
                fate == Fate.REMOVE ? List.of() : session.changes(List.of(), false);
        boolean kept = settle(ChangeReport.isChanged(changes));
        context.tell(lines(changes, kept));
    }

    /** Removes the session or not; answers whether it is still there. */
    boolean settle(boolean changed) throws InterruptedException {
        return switch (fate) {
            case KEEP -> true;
            case REMOVE -> {
                context.sessions().remove(session.id());
                yield false;
            }
            case KEEP_CHANGES -> changed || !removed();
        };
    }

    private boolean removed() throws InterruptedException {
        try {
            context.sessions().removeIdle(session.id());
            return true;
        } catch (ConflictException inUse) {
            return false; // another command has joined it meanwhile
        }
    }

    /** Nothing of the command ran. */
    void afterFailure(CarrelException failure) throws InterruptedException {
        try {
            settle(false);
        } catch (CarrelException e) {
            failure.addSuppressed(e);
        }
    }

    private List<String> lines(List<RepoChanges> changes, boolean kept) {
        String id = session.id();
        String what = id + ": " + ChangeReport.summary(changes);
        if (!kept) {
            return List.of(what + "; the session is removed");
        }
        return List.of(
                what,
                ChangeReport.isChanged(changes)
                        ? "carrel diff "
                                + id
                                + (session.canApply() ? " · carrel apply " + id : "")
                                + " · carrel discard "
                                + id
                        : "carrel shell " + id + " · carrel session rm " + id);
    }

    private Json object(CommandResult result, List<RepoChanges> changes, boolean kept) {
        Json.Fields object =
                Json.object()
                        .put("session", session.id())
                        .put("kept", kept)
                        .put("exit", result.exit())
                        .put("durationMillis", result.duration().toMillis());
        new LimitReport(result).addTo(object);
        object.put("changes", ChangeReport.json(changes)).putIfPresent("hint", result.hint());
        network(result, kept).addTo(object);
        return object;
    }

    private NetworkReport network(CommandResult result, boolean kept) {
        return new NetworkReport(session.id(), kept, result.network());
    }
}
