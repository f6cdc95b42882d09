package dev.carrel.core.host;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.store.StateLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tries on this machine everything that a session needs, each thing for real and nothing from
 * memory. Leaves nothing behind; takes about a second.
 */
public final class Doctor {

    private final Caller caller;
    private final Optional<Path> carrelHome;
    private final Path stateDirectory;
    private final ProcessRunner runner;

    /**
     * A round of trials.
     *
     * @param carrelHome the installation folder, if there is one
     * @param stateDirectory where sessions are or will be kept; it need not exist
     */
    public Doctor(
            Caller caller, Optional<Path> carrelHome, Path stateDirectory, ProcessRunner runner) {
        this.caller = caller;
        this.carrelHome = carrelHome;
        this.stateDirectory = stateDirectory;
        this.runner = runner;
    }

    /**
     * All checks, those that later ones depend on first. A trial that fails is a check that says
     * so, never an exception; what cannot be tried after a failure is left out.
     */
    public List<Check> examine() throws InterruptedException {
        MachineChecks machine = new MachineChecks(caller, stateDirectory, runner);
        List<Check> checks = new ArrayList<>(machine.all());
        Optional<Identity> identity = Optional.empty();
        try {
            identity = Optional.of(Identities.forRepositories(List.of(), caller));
            checks.add(machine.identity(identity.get()));
            checks.addAll(toolchains(identity.get()));
        } catch (CarrelException e) {
            checks.add(failed("sandbox user", e));
        }
        try {
            BwrapProgram bwrap = new Bwraps(caller, carrelHome, Optional.empty(), runner).find();
            checks.add(Check.ok("bwrap", bwrap.path() + " (calls itself " + bwrap.version() + ")"));
            if (identity.isPresent()) {
                // As sessions have it: where root's sandboxes cannot reach it, they run a copy.
                BwrapProgram used =
                        new BwrapCopy(new StateLayout(stateDirectory))
                                .reachableBy(identity.get(), bwrap);
                checks.addAll(
                        new SandboxChecks(used, identity.get(), runner, machine.existing()).all());
            }
        } catch (CarrelException e) {
            checks.add(failed("bwrap", e));
            checks.add(namespacesWithoutBwrap());
        }
        checks.add(LimitChecks.check());
        return List.copyOf(checks);
    }

    /** Whether a session could run, judged by the checks. */
    public static boolean canRun(List<Check> checks) {
        return checks.stream().noneMatch(check -> check.outcome() == Check.Outcome.FAIL);
    }

    private List<Check> toolchains(Identity identity) {
        ToolchainView view =
                new HostView(caller, identity, new LiveFiles())
                        .view(List.of(), stateDirectory, List.of());
        List<Check> checks = new ArrayList<>();
        checks.add(Check.ok("programs shown", view.pathVariable()));
        for (String notice : view.notices()) {
            checks.add(
                    Check.warn(
                            "programs not shown",
                            notice,
                            "if its programs are needed inside, install them below"
                                    + " /usr/local or /opt, or name a directory in"
                                    + " sandbox.extra_read_only"));
        }
        return checks;
    }

    private Check namespacesWithoutBwrap() throws InterruptedException {
        ProcessResult result =
                runner.run(Command.of("unshare", "--user", "--map-root-user", "true"));
        if (result.succeeded()) {
            return Check.ok("namespaces", "user namespaces");
        }
        UserNamespaces.Explanation why =
                UserNamespaces.explain(Path.of("/usr/bin/bwrap"), result, runner);
        return Check.fail("namespaces", why.cause(), why.remedy());
    }

    private static Check failed(String name, CarrelException failure) {
        return Check.fail(
                name, failure.message(), failure.remedy().orElse("see the message for the cause"));
    }
}
