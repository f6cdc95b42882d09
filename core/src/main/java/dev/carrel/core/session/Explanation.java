package dev.carrel.core.session;

import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Shell;
import dev.carrel.core.store.Step;
import java.util.ArrayList;
import java.util.List;

/** Plans as lines for people. Pure. */
final class Explanation {

    private Explanation() {}

    static List<String> of(SessionPlan plan) {
        SessionRecord record = plan.record();
        List<String> lines = new ArrayList<>();
        lines.add("session " + record.id() + " (the id is chosen anew when it is made)");
        lines.add("  runs as uid " + record.identity().uid() + ", gid " + record.identity().gid());
        record.repos().forEach(repo -> lines.add("  " + line(repo, record.policy().view())));
        plan.notices().forEach(notice -> lines.add("  note: " + notice));
        lines.add("steps:");
        int number = 1;
        for (Step step : plan.steps()) {
            lines.add("  " + number++ + ". " + step.name());
        }
        return lines;
    }

    private static String line(RepoRecord repo, ViewMode mode) {
        return switch (mode) {
            case ViewMode.Overlay() ->
                    repo.kind()
                            + " repository "
                            + repo.root()
                            + " at "
                            + repo.inside()
                            + repo.base().commit().map(commit -> ", commit " + commit).orElse("");
            case ViewMode.HostReadonly host ->
                    "the whole host, read-only; started in "
                            + repo.root()
                            + (host.scratchOverlay()
                                    ? ", which is writable for the session"
                                    : ", which is read-only, too");
        };
    }

    /** A bubblewrap run: the words on its command line, and those it reads from its option file. */
    static List<String> of(String title, Command command, List<String> options) {
        List<String> lines = new ArrayList<>();
        lines.add(title + ":");
        lines.add("  " + command);
        lines.add("  with these options in the file at descriptor 8:");
        StringBuilder line = new StringBuilder();
        for (String word : options) {
            if (word.startsWith("--") && !line.isEmpty()) {
                lines.add("    " + line);
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(Shell.quote(word));
        }
        lines.add("    " + line);
        return lines;
    }
}
