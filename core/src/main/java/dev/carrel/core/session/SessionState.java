package dev.carrel.core.session;

import java.util.Locale;

/** What a session is doing, found by looking, not by remembering. */
public enum SessionState {
    /** Nothing runs; its files are kept. */
    STOPPED,
    /** Commands are running in it. */
    RUNNING,
    /** It is being made or removed by a living process. */
    BUSY,
    /** Its making or removal was interrupted; the next use of Carrel cleans it up. */
    INTERRUPTED,
    /** Its record cannot be read. */
    BROKEN;

    /** The name as listings show it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
