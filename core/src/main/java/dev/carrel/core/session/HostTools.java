package dev.carrel.core.session;

import dev.carrel.core.host.BwrapCopy;
import dev.carrel.core.host.BwrapProgram;
import dev.carrel.core.host.Bwraps;
import dev.carrel.core.host.Caller;
import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.store.StateLayout;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What sessions need of this machine, looked up once when it is first needed. Safe for many
 * threads.
 */
final class HostTools {

    private final ProcessRunner runner;
    private final Settings settings;
    private final StateLayout layout;
    private final Caller caller;
    private final Consumer<SessionEvent> events;
    private final Uses uses = new Uses();
    private final LimitKeeper limits;
    private final Networks networks = new Networks(uses::isKept);
    private @Nullable BwrapProgram bwrap;

    HostTools(
            ProcessRunner runner,
            Settings settings,
            StateLayout layout,
            Consumer<SessionEvent> events,
            LimitKeeper limits) {
        this.events = events;
        this.limits = limits;
        this.runner = runner;
        this.settings = settings;
        this.layout = layout;
        // The launcher changes variables for the JVM; what the caller had is in the settings.
        this.caller = Caller.current().with(settings.environment());
    }

    ProcessRunner runner() {
        return runner;
    }

    Settings settings() {
        return settings;
    }

    StateLayout layout() {
        return layout;
    }

    Caller caller() {
        return caller;
    }

    /** What this process has running. */
    Uses uses() {
        return uses;
    }

    /** What holds limits on this machine. */
    LimitKeeper limits() {
        return limits;
    }

    /** The networks that this process serves. */
    Networks networks() {
        return networks;
    }

    /** Tells whoever opened the sessions. */
    void tell(SessionEvent event) {
        events.accept(event);
    }

    /** Makes sure that there is a usable bubblewrap, before anything else is decided. */
    synchronized BwrapProgram bwrap() throws InterruptedException {
        BwrapProgram found = bwrap;
        if (found == null) {
            found =
                    new Bwraps(
                                    caller,
                                    settings.carrelHome(),
                                    Optional.of(layout.base().resolve("bwrap-proof")),
                                    runner)
                            .find();
            bwrap = found;
        }
        return found;
    }

    /** The program as sandboxes of this identity can execute it. */
    BwrapProgram bwrap(Identity identity) throws InterruptedException {
        return new BwrapCopy(layout).reachableBy(identity, bwrap());
    }
}
