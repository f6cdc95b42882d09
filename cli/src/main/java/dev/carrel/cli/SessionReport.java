package dev.carrel.cli;

import dev.carrel.core.session.SessionSummary;
import dev.carrel.core.session.SessionSummary.RepoSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Sessions as text and as JSON. */
final class SessionReport {

    private static final int SHORT_COMMIT = 12;

    /** How long before a session goes that is said. */
    private static final Duration WARNING = Duration.ofDays(7);

    private SessionReport() {}

    static List<String> table(List<SessionSummary> sessions, Instant now) {
        Table table =
                new Table().row("ID", "NAME", "REPO", "AGE", "USED", "SIZE", "CHANGES", "STATE");
        for (SessionSummary session : sessions) {
            table.row(
                    session.id().value(),
                    session.name().map(Human::oneLine).orElse("-"),
                    repos(session),
                    Human.age(session.created(), now),
                    Human.age(session.lastUsed(), now),
                    Human.size(session.diskBytes()),
                    Integer.toString(session.changes()),
                    state(session, now));
        }
        return table.lines();
    }

    private static String repos(SessionSummary session) {
        return session.repos().isEmpty()
                ? "-"
                : Human.oneLine(
                        String.join(
                                ",",
                                session.repos().stream()
                                        .map(repo -> repo.path().toString())
                                        .toList()));
    }

    private static String state(SessionSummary session, Instant now) {
        return session.state()
                + (baseMoved(session) ? ", base moved" : "")
                + session.expires()
                        .filter(when -> when.isBefore(now.plus(WARNING)))
                        .map(when -> ", goes " + Human.until(when, now))
                        .orElse("");
    }

    private static boolean baseMoved(SessionSummary session) {
        return session.repos().stream().anyMatch(RepoSummary::baseMoved);
    }

    static List<String> details(SessionSummary session, Instant now) {
        Table table =
                new Table()
                        .row("id", session.id().value())
                        .row("name", session.name().map(Human::oneLine).orElse("-"))
                        .row("mode", mode(session))
                        .row("state", state(session, now))
                        .row("created", when(session.created(), now))
                        .row("last used", when(session.lastUsed(), now))
                        .row("size", Human.size(session.diskBytes()))
                        .row("changes", Human.plural(session.changes(), "file"))
                        .row("limits", LimitLine.text(session.limits()));
        session.repos().forEach(repo -> table.row("repo", repo(repo)));
        return table.lines();
    }

    private static String when(Instant then, Instant now) {
        return then.toString().substring(0, 19) + "Z (" + Human.age(then, now) + ")";
    }

    private static String repo(RepoSummary repo) {
        return Human.oneLine(
                place(repo)
                        + "  "
                        + repo.kind()
                        + repo.commit()
                                .map(commit ->
                                        " at "
                                                + commit.substring(
                                                        0, Math.min(SHORT_COMMIT, commit.length())))
                                .orElse("")
                        + " of "
                        + repo.path()
                        + (repo.baseMoved() ? " (base moved)" : ""));
    }

    private static String place(RepoSummary repo) {
        return isScratch(repo) ? repo.path().toString() : "/workspace/" + repo.name();
    }

    /** The directory in which a session with the whole host was started. */
    private static boolean isScratch(RepoSummary repo) {
        return repo.kind().equals("scratch");
    }

    private static String mode(SessionSummary session) {
        return session.repos().stream().anyMatch(SessionReport::isScratch)
                ? "host_readonly"
                : "overlay";
    }

    static Json json(SessionSummary session) {
        List<Json> repos = new ArrayList<>();
        for (RepoSummary repo : session.repos()) {
            repos.add(
                    Json.object()
                            .put("name", repo.name())
                            .put("path", repo.path().toString())
                            .put("kind", repo.kind())
                            .putIfPresent("commit", repo.commit())
                            .put("baseMoved", repo.baseMoved()));
        }
        return Json.object()
                .put("id", session.id().value())
                .putIfPresent("name", session.name())
                .put("mode", mode(session))
                .put("repos", new Json.Array(repos))
                .put("created", session.created().toString())
                .put("lastUsed", session.lastUsed().toString())
                .putIfPresent("expires", session.expires().map(Instant::toString))
                .put("diskBytes", session.diskBytes())
                .put("changes", session.changes())
                .put("state", session.state().toString())
                .put("baseMoved", baseMoved(session))
                .put("limits", LimitLine.json(session.limits()));
    }
}
