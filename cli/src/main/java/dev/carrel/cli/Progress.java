package dev.carrel.cli;

import dev.carrel.core.session.SessionEvent;
import java.util.function.Consumer;

/** Shows what happens on one line of the terminal that is cleared again; to a terminal only. */
final class Progress implements Consumer<SessionEvent> {

    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Surroundings surroundings;
    private boolean shown;

    Progress(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public void accept(SessionEvent event) {
        if (event instanceof SessionEvent.Warning(String text)) {
            clear();
            surroundings.err().println("carrel: " + Human.oneLine(text));
        } else if (surroundings.talks()) {
            show(event);
        }
    }

    private void show(SessionEvent event) {
        switch (event) {
            case SessionEvent.Progress(String text) -> {
                surroundings.err().print(CLEAR_LINE + Human.oneLine(text) + " …");
                surroundings.err().flush();
                shown = true;
            }
            case SessionEvent.Notice(String text) -> {
                clear();
                surroundings.err().println("carrel: " + Human.oneLine(text));
            }
            case SessionEvent.Warning _,
                    SessionEvent.Created _,
                    SessionEvent.Removed _,
                    SessionEvent.CommandStarted _,
                    SessionEvent.CommandEnded _,
                    SessionEvent.Applied _,
                    SessionEvent.Undone _,
                    SessionEvent.Discarded _ -> {
                // Told above, or by the verbs themselves.
            }
        }
    }

    /** Before anything else is written. */
    void clear() {
        if (shown) {
            surroundings.err().print(CLEAR_LINE);
            surroundings.err().flush();
            shown = false;
        }
    }
}
