package dev.carrel.core.runtime;

import java.nio.file.Path;
import java.util.List;

/**
 * Where a session's runtime keeps what it needs, below one directory of the host.
 *
 * @param session the session's directory; work directories lie below it
 * @param lock the lock that serialises start, adoption and removal; outside of {@code session},
 *     which may be removed while it is held
 */
public record RuntimeFiles(Path session, Path lock) {

    static final String PAUSE_RECORD = "pause.json";
    static final String ENDING_RECORD = "ending.json";
    static final String READY = "ready";
    static final String FIFO = "alive";

    /** Everything of the runtime. */
    public Path run() {
        return session.resolve("run");
    }

    /** Where the pause and its users meet; owned by the sandbox user. */
    public Path hold() {
        return run().resolve("hold");
    }

    /** One directory for each command that runs. */
    public Path commands() {
        return run().resolve("commands");
    }

    /** One directory for each bridge to the session's network; owned by the sandbox user. */
    public Path bridges() {
        return run().resolve("bridges");
    }

    /** An empty lower and an empty upper for the busy probe; owned by the sandbox user. */
    public Path probe() {
        return run().resolve("probe");
    }

    /** The directories that the sandbox user must own. */
    public List<Path> ownedBySandboxUser() {
        return List.of(
                hold(), bridges(), probe(), probe().resolve("lower"), probe().resolve("upper"));
    }

    Path fifo() {
        return hold().resolve(FIFO);
    }

    Path pauseRecord() {
        return hold().resolve(PAUSE_RECORD);
    }

    Path endingRecord() {
        return hold().resolve(ENDING_RECORD);
    }

    /** The latest pause, also when it is gone: commands that it left are known by it. */
    Path lastPause() {
        return run().resolve("last-pause.json");
    }

    Path ready() {
        return hold().resolve(READY);
    }
}
