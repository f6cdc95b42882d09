package dev.carrel.core.host;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.ProcessRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds out, after a session could not be started, what of the machine was in the way. */
public final class StartFailure {

    private StartFailure() {}

    /**
     * Tries one by one what the start of a session needs.
     *
     * @param upperParent an existing directory on the file system of the uppers
     * @param lowers what was to be below, topmost first
     * @return cause and cure; empty if all of it works, so that the reason is another
     */
    public static Optional<UnsupportedHostException> explain(
            BwrapProgram bwrap,
            Identity identity,
            ProcessRunner runner,
            Path upperParent,
            List<Path> lowers)
            throws InterruptedException {
        SandboxChecks checks = new SandboxChecks(bwrap, identity, runner, upperParent);
        Optional<Check> failed = checks.firstFailure();
        if (failed.isPresent()) {
            return failed.map(check ->
                    new UnsupportedHostException(
                            check.found(), check.fix().orElse("see 'carrel doctor'")));
        }
        try {
            new OverlaySupport(bwrap, identity, runner).check(upperParent, lowers);
            return Optional.empty();
        } catch (UnsupportedHostException e) {
            return Optional.of(e);
        }
    }
}
