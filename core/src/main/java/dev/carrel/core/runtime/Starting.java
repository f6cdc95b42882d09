package dev.carrel.core.runtime;

import dev.carrel.core.process.RunningProcess;
import java.util.Optional;
import java.util.UUID;

/** What the steps of one start of a pause hand on. */
final class Starting {

    private final String number = UUID.randomUUID().toString();
    private final String fingerprint;
    private final boolean ownNetwork;
    private boolean earlier;
    private Optional<Member> survivor = Optional.empty();
    private Optional<RunningProcess> process = Optional.empty();
    private Optional<PauseRecord> pause = Optional.empty();

    /**
     * A start.
     *
     * @param fingerprint of the view
     * @param ownNetwork whether the view has a network of its own
     */
    Starting(String fingerprint, boolean ownNetwork) {
        this.fingerprint = fingerprint;
        this.ownNetwork = ownNetwork;
    }

    /** Only the start of this number is valid. */
    String number() {
        return number;
    }

    String fingerprint() {
        return fingerprint;
    }

    boolean ownNetwork() {
        return ownNetwork;
    }

    void earlier(boolean mayHaveBeen) {
        earlier = mayHaveBeen;
    }

    /** Whether something of an earlier start may be left. */
    boolean mayFollowAnother() {
        return earlier;
    }

    void survivor(Optional<Member> found) {
        survivor = found;
    }

    /** A supervisor of a command that lives on without its pause. */
    Optional<Member> survivor() {
        return survivor;
    }

    void process(RunningProcess started) {
        process = Optional.of(started);
    }

    RunningProcess process() {
        return process.orElseThrow();
    }

    void pause(PauseRecord ready) {
        pause = Optional.of(ready);
    }

    /** After the last step. */
    PauseRecord pause() {
        return pause.orElseThrow();
    }
}
