package dev.carrel.core.host;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What only a real sandbox shows, tried as the user that sandboxes run as. */
final class SandboxChecks {

    /** What is called by the scripts that hold a session, join it, and handle files in it. */
    private static final String PROGRAMS =
            "sh mount dd mv sleep grep tr cat stat nsenter setpriv setsid";

    /** In a network where nothing else is. */
    private static final int TRIAL_PORT = 3128;

    /** One instruction: allow everything. */
    private static final byte[] ALLOW_ALL = {6, 0, 0, 0, 0, 0, (byte) 0xff, 0x7f};

    private final BwrapProgram bwrap;
    private final Identity identity;
    private final ProcessRunner runner;
    private final ScratchSandbox sandbox;
    private final Path statePlace;

    SandboxChecks(BwrapProgram bwrap, Identity identity, ProcessRunner runner, Path statePlace) {
        this.bwrap = bwrap;
        this.identity = identity;
        this.runner = runner;
        this.sandbox = new ScratchSandbox(bwrap.path(), Optional.of(identity), runner);
        this.statePlace = statePlace;
    }

    /** The first thing that keeps any sandbox from starting. */
    Optional<Check> firstFailure() throws InterruptedException {
        Optional<Check> unreachable = reachable();
        if (unreachable.isPresent()) {
            return unreachable;
        }
        for (Check check : List.of(namespaces(), programs(), privateMounts())) {
            if (check.outcome() == Check.Outcome.FAIL) {
                return Optional.of(check);
            }
        }
        return Optional.empty();
    }

    private Optional<Check> reachable() {
        return bwrap.obstacle(identity)
                .filter(_ -> identity.switched())
                .map(why ->
                        Check.fail(
                                "bwrap for the sandbox user",
                                bwrap.path() + " cannot be used: " + why,
                                BwrapProgram.REACHABLE));
    }

    List<Check> all() throws InterruptedException {
        Optional<Check> unreachable = reachable();
        if (unreachable.isPresent()) {
            return List.of(unreachable.get());
        }
        Check namespaces = namespaces();
        if (namespaces.outcome() == Check.Outcome.FAIL) {
            return List.of(namespaces);
        }
        List<Check> checks = new ArrayList<>(List.of(namespaces));
        checks.add(programs());
        checks.add(privateMounts());
        checks.add(
                attempt(
                        "overlay",
                        "mounts, deletes and replaces at '" + statePlace + "'",
                        () -> overlays().check(statePlace, List.of())));
        checks.add(
                attempt(
                        "overlay in use",
                        "the kernel tells whether one is still mounted",
                        () -> overlays().checkBusyProbe(statePlace)));
        checks.add(attempt("joining a sandbox", "nsenter enters a running one", this::join));
        checks.add(wayOut(Socat.PROGRAM));
        checks.add(attempt("system call filter", "loads", this::filter));
        checks.add(terminals());
        return checks;
    }

    private OverlaySupport overlays() {
        return new OverlaySupport(bwrap, identity, runner);
    }

    private Check namespaces() throws InterruptedException {
        ProcessResult result =
                sandbox.run(
                        List.of(
                                "--disable-userns",
                                "--unshare-pid",
                                "--unshare-net",
                                "--unshare-ipc",
                                "--unshare-uts",
                                "--unshare-cgroup-try",
                                "--cap-drop",
                                "ALL",
                                "--proc",
                                "/proc",
                                "--dev",
                                "/dev"),
                        "/usr/bin/true");
        if (result.succeeded()) {
            return Check.ok("namespaces", "user, pid, network, ipc and uts namespaces");
        }
        UserNamespaces.Explanation why = UserNamespaces.explain(bwrap.path(), result, runner);
        return Check.fail("namespaces", why.cause(), why.remedy());
    }

    private Check programs() throws InterruptedException {
        ProcessResult result =
                sandbox.run(
                        List.of("--setenv", "PATH", "/usr/bin:/usr/sbin", "--dev", "/dev"),
                        "/bin/sh",
                        "-c",
                        "for p in " + PROGRAMS + "; do command -v $p >/dev/null || echo $p; done");
        List<String> missing = result.outputText().lines().toList();
        return result.succeeded() && missing.isEmpty()
                ? Check.ok("programs", PROGRAMS)
                : Check.fail(
                        "programs",
                        "missing in /usr: " + String.join(" ", missing) + result.errorText(),
                        "apt install util-linux coreutils grep mount");
    }

    /** The script that holds a session makes its mounts private before anybody joins. */
    private Check privateMounts() throws InterruptedException {
        ProcessResult result =
                sandbox.run(
                        List.of(
                                "--uid",
                                "0",
                                "--gid",
                                "0",
                                "--cap-drop",
                                "ALL",
                                "--cap-add",
                                "CAP_SYS_ADMIN"),
                        "mount",
                        "--make-rprivate",
                        "/");
        if (result.succeeded()) {
            return Check.ok("private mounts", "mount --make-rprivate works in a sandbox");
        }
        UserNamespaces.Explanation why = UserNamespaces.explain(bwrap.path(), result, runner);
        return Check.fail("private mounts", why.cause(), why.remedy());
    }

    private void join() throws InterruptedException {
        hold(held ->
                requireSuccess("nsenter", runner.run(enter(held, "-m", List.of("/usr/bin/true")))));
    }

    /** What sessions with a list of hosts need besides: a socket that listens in a sandbox. */
    Check wayOut(Path socat) throws InterruptedException {
        if (!Files.isExecutable(socat)) {
            return Check.warn(
                    "way out",
                    "there is no "
                            + socat
                            + ": sessions that may reach a host or a port are refused, others run",
                    Socat.CURE);
        }
        Check tried =
                attempt(
                        "way out",
                        "a socket that listens in a sandbox can be taken over",
                        () -> hold(this::listen));
        return tried.outcome() == Check.Outcome.OK
                ? tried
                : Check.warn(
                        "way out",
                        tried.found()
                                + "; sessions that may reach a host or a port fail, others run",
                        tried.fix().orElse(Socat.CURE));
    }

    private void listen(HeldSandbox held) throws InterruptedException, IOException {
        Command program = enter(held, "-n", Socat.listening(TRIAL_PORT, "/nowhere/at/all"));
        TakenSocket.from(runner.start(program), TRIAL_PORT).orElseThrow().close();
    }

    /** A trial with a sandbox that lives. */
    private interface Holding {
        void use(HeldSandbox held) throws InterruptedException, IOException;
    }

    private void hold(Holding trial) throws InterruptedException {
        try {
            HeldSandbox held = HeldSandbox.start(sandbox, List.of("--unshare-net"));
            try {
                trial.use(held);
            } finally {
                held.end();
            }
        } catch (IOException e) {
            throw new HostOperationException("cannot hold a sandbox: " + e.getMessage(), null, e);
        }
    }

    private Command enter(HeldSandbox held, String namespace, List<String> program) {
        List<String> argv = new ArrayList<>(ScratchSandbox.prefix(Optional.of(identity)));
        argv.addAll(List.of("nsenter", "--preserve-credentials", "-U", namespace, "-t"));
        argv.add(Long.toString(held.innerPid()));
        argv.addAll(program);
        return Command.of(argv);
    }

    private void filter() throws InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path program = scratch.path().resolve("filter");
            Files.write(program, ALLOW_ALL);
            Command command =
                    sandbox.command(
                                    List.of("--seccomp", "9", "--proc", "/proc"),
                                    "/bin/sh",
                                    "-c",
                                    "while read -r key value; do test \"$key $value\" ="
                                            + " 'Seccomp: 2' && exit 0; done </proc/self/status;"
                                            + " exit 1")
                            .handingOver(
                                    List.of(
                                            new Command.HandedOver(
                                                    9, program, Command.HandedOver.Access.READ)));
            requireSuccess("a sandbox with a filter", runner.run(command));
        } catch (IOException e) {
            throw new HostOperationException("cannot write a filter: " + e.getMessage(), null, e);
        }
    }

    private static void requireSuccess(String what, ProcessResult result) {
        if (!result.succeeded()) {
            throw new HostOperationException(
                    what + " ended with status " + result.exit() + ": " + result.errorText());
        }
    }

    private Check terminals() throws InterruptedException {
        ProcessResult result =
                sandbox.run(List.of("--dev", "/dev"), "/bin/sh", "-c", "exec 3<>/dev/ptmx");
        return result.succeeded()
                ? Check.ok("terminals", "a sandbox can open its own")
                : Check.warn(
                        "terminals",
                        "a sandbox cannot open one: " + result.errorText(),
                        "mount -t devpts devpts /dev/pts; only 'carrel shell' and commands that"
                                + " need a terminal are affected");
    }

    /** An action of a check. */
    private interface Trial {
        void run() throws InterruptedException;
    }

    private static Check attempt(String name, String found, Trial trial)
            throws InterruptedException {
        try {
            trial.run();
            return Check.ok(name, found);
        } catch (CarrelException e) {
            return Check.fail(
                    name,
                    e.message(),
                    e.remedy().orElse("run the failing command by hand to see more"));
        }
    }
}
