package dev.carrel.core.session;

import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.store.SessionLayout;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What one command on a session leaves for the next one, so that it need not be worked out again.
 * All of it is compared with what it was made from before it is used. Safe for many threads.
 */
final class Remembered {

    private final HostTools tools;
    private final SessionLayout layout;
    private final RecordFile record;
    private final KnownPrograms programs = new KnownPrograms();
    private volatile @Nullable Made made;

    Remembered(HostTools tools, SessionLayout layout) {
        this.tools = tools;
        this.layout = layout;
        this.record = new RecordFile(layout.record());
    }

    /** A runtime with what it was made from. */
    private record Made(SessionRecord from, Path bwrap, SessionRuntime runtime) {

        boolean serves(SessionRecord record, Path program) {
            return bwrap.equals(program)
                    && from.token().equals(record.token())
                    && from.identity().equals(record.identity());
        }
    }

    /** The session as it is now. */
    SessionRecord record() {
        return record.read();
    }

    KnownPrograms programs() {
        return programs;
    }

    SessionRuntime runtime(SessionRecord now) throws InterruptedException {
        Path bwrap = tools.bwrap(now.identity()).path();
        Made known = made;
        if (known == null || !known.serves(now, bwrap)) {
            SessionRuntime runtime =
                    new SessionRuntime(
                            tools.runner(),
                            bwrap,
                            now.identity(),
                            SessionFiles.runtime(layout),
                            now.token());
            known = new Made(now, bwrap, runtime);
            made = known;
        }
        return known.runtime();
    }
}
