package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.CommandOptions;
import dev.carrel.core.host.Caller;
import dev.carrel.core.host.HostView;
import dev.carrel.core.host.Identities;
import dev.carrel.core.host.LiveFiles;
import dev.carrel.core.host.Owner;
import dev.carrel.core.host.ToolchainView;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.store.Ownership;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Trees;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A session without a repository behind it: one empty base, one writable layer, real bubblewrap.
 */
final class RuntimeFixture {

    final ProcessRunner runner = new HostProcessRunner();
    final Path base;
    final SessionLayout layout;
    final Identity identity;
    final String token;
    final Path bwrap = Requirements.bwrap();
    final View view;
    final ToolchainView tools;

    private RuntimeFixture(Path base, boolean fresh) throws Exception {
        this.base = base;
        this.layout = new SessionLayout(base.resolve("session"));
        Caller caller = Caller.current();
        this.identity =
                Identities.forRepositories(List.of(new Owner(caller.uid(), caller.gid())), caller);
        Path tokenFile = base.resolve("token");
        if (fresh) {
            createDirectories();
            Files.writeString(tokenFile, UUID.randomUUID().toString().replace("-", ""));
        }
        this.token = Files.readString(tokenFile);
        this.tools =
                new HostView(caller, identity, new LiveFiles()).view(List.of(), base, List.of());
        this.view = View.of(mounts());
    }

    private void createDirectories() {
        Ownership owner = new Ownership(identity.uid(), identity.gid());
        layout.createDirectory();
        layout.createContents(owner);
        RuntimeFiles files = files();
        layout.createPrivate(files.commands());
        files.ownedBySandboxUser().forEach(directory -> SessionLayout.createLeaf(directory, owner));
        byte[] fifo = "alive".getBytes(StandardCharsets.UTF_8);
        try (Dir hold = Dir.open(files.hold())) {
            hold.makeFifo(fifo, 0600);
            if (identity.switched()) {
                hold.chown(fifo, identity.uid(), identity.gid());
            }
        }
        SessionLayout.createLeaf(base.resolve("lower"), owner);
        layout.createLayer("repo", 1, owner);
    }

    private List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>(tools.mounts());
        mounts.add(new Mount.EmptyDirectory(SandboxPath.of("/run"), 0755));
        mounts.add(new Mount.EmptyDirectory(SandboxPath.CARREL, 0755));
        mounts.add(new Mount.Writable(layout.home(), SandboxPath.HOME));
        mounts.add(new Mount.Writable(layout.tmp(), SandboxPath.of("/tmp")));
        mounts.add(
                new Mount.Overlay(
                        List.of(base.resolve("lower")),
                        layout.upper("repo", 1),
                        layout.work("repo", 1),
                        SandboxPath.of("/workspace/repo")));
        return mounts;
    }

    static RuntimeFixture create() throws Exception {
        Path base = Files.createTempDirectory("carrel-runtime");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        return new RuntimeFixture(base, true);
    }

    /** The session of another process. */
    static RuntimeFixture open(Path base) throws Exception {
        return new RuntimeFixture(base, false);
    }

    RuntimeFiles files() {
        return new RuntimeFiles(layout.directory(), base.resolve("lock"));
    }

    SessionRuntime runtime() {
        return new SessionRuntime(runner, bwrap, identity, files(), token);
    }

    RunningCommand start(String script) throws InterruptedException {
        return start(view, script);
    }

    RunningCommand start(View shown, String script) throws InterruptedException {
        return start(shown, SandboxPath.of("/workspace/repo"), List.of("sh", "-c", script));
    }

    RunningCommand start(View shown, SandboxPath directory, List<String> program)
            throws InterruptedException {
        SandboxedCommand command =
                new SandboxedCommand(
                        CommandOptions.of(
                                SandboxPolicy.DEFAULT,
                                identity,
                                Map.of("PATH", tools.pathVariable(), "HOME", "/home/agent"),
                                directory,
                                false,
                                false),
                        Optional.empty(),
                        CommandOptions.throughShell(false, List.of(), program));
        return RunningCommand.start(
                runtime(), runner, identity, () -> shown, _ -> command, streams -> streams);
    }

    /** Starts a command and waits until it says that it runs: a line in a file of the session. */
    RunningCommand startAndAwait(String script) throws InterruptedException {
        String name = "started-" + UUID.randomUUID();
        RunningCommand running = start("touch /tmp/" + name + "; " + script);
        await(() -> Files.exists(layout.tmp().resolve(name)), "the command runs");
        return running;
    }

    ProcessResult run(String script) throws InterruptedException {
        return start(script).await();
    }

    /** A JVM of its own that uses this session, see {@link RuntimeUser}. */
    Process otherJvm(String... arguments) throws Exception {
        String[] words =
                Stream.concat(Stream.of(base.toString()), Stream.of(arguments))
                        .toArray(String[]::new);
        return new ProcessBuilder(ChildJvm.command(RuntimeUser.class, words))
                .redirectError(base.resolve("other-jvm.err").toFile())
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .start();
    }

    Members members() {
        return new Members(token);
    }

    Optional<PauseRecord> pause() {
        return PauseRecord.read(files().pauseRecord()).filter(PauseRecord::isAlive);
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    void awaitNothingLeft() throws InterruptedException {
        await(() -> members().all().isEmpty(), "no process of the session is left");
    }

    static void await(BooleanSupplier condition, String what) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within 20 s: " + what);
            }
            Thread.sleep(20);
        }
    }

    void remove() throws Exception {
        runtime().endAll(view.works());
        Trees.delete(base.resolveSibling("."), base.getFileName().toString());
    }
}
