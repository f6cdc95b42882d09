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
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Trees;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A session without a repository behind it: one empty base, one writable layer, real bubblewrap.
 */
final class RuntimeFixture {

    final ProcessRunner runner = new HostProcessRunner();
    final Path base;
    final SessionLayout layout;
    final Identity identity;
    final String token = UUID.randomUUID().toString().replace("-", "");
    final Path bwrap = Requirements.bwrap();
    final View view;
    final ToolchainView tools;

    private RuntimeFixture(Path base) throws Exception {
        this.base = base;
        this.layout = new SessionLayout(base.resolve("session"));
        Caller caller = Caller.current();
        this.identity =
                Identities.forRepositories(List.of(new Owner(caller.uid(), caller.gid())), caller);
        Ownership owner = new Ownership(identity.uid(), identity.gid());
        layout.createDirectory();
        layout.createContents(owner);
        RuntimeFiles files = files();
        layout.createPrivate(files.commands());
        files.ownedBySandboxUser().forEach(directory -> SessionLayout.createLeaf(directory, owner));
        try (Dir hold = Dir.open(files.hold())) {
            hold.makeFifo("alive".getBytes(StandardCharsets.UTF_8), 0600);
            if (identity.switched()) {
                hold.chown(
                        "alive".getBytes(StandardCharsets.UTF_8), identity.uid(), identity.gid());
            }
        }
        Path lower = base.resolve("lower");
        SessionLayout.createLeaf(lower, owner);
        layout.createLayer("repo", 1, owner);
        this.tools =
                new HostView(caller, identity, new LiveFiles()).view(List.of(), base, List.of());
        List<Mount> mounts = new ArrayList<>(tools.mounts());
        mounts.add(new Mount.EmptyDirectory(SandboxPath.of("/run"), 0755));
        mounts.add(new Mount.EmptyDirectory(SandboxPath.CARREL, 0755));
        mounts.add(new Mount.Writable(layout.home(), SandboxPath.HOME));
        mounts.add(new Mount.Writable(layout.tmp(), SandboxPath.of("/tmp")));
        mounts.add(
                new Mount.Overlay(
                        List.of(lower),
                        layout.upper("repo", 1),
                        layout.work("repo", 1),
                        SandboxPath.of("/workspace/repo")));
        this.view = View.of(mounts);
    }

    static RuntimeFixture create() throws Exception {
        Path base = Files.createTempDirectory("carrel-runtime");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        return new RuntimeFixture(base);
    }

    RuntimeFiles files() {
        return new RuntimeFiles(layout.directory(), base.resolve("lock"));
    }

    SessionRuntime runtime() {
        return new SessionRuntime(runner, bwrap, identity, files(), token);
    }

    RunningCommand start(String script) throws InterruptedException {
        SandboxedCommand command =
                new SandboxedCommand(
                        CommandOptions.of(
                                SandboxPolicy.DEFAULT,
                                identity,
                                Map.of("PATH", tools.pathVariable(), "HOME", "/home/agent"),
                                SandboxPath.of("/workspace/repo"),
                                false,
                                false),
                        Optional.empty(),
                        List.of("sh", "-c", script),
                        false);
        return RunningCommand.start(
                runtime(), runner, identity, () -> view, command, streams -> streams);
    }

    ProcessResult run(String script) throws InterruptedException {
        return start(script).await();
    }

    void remove() throws Exception {
        runtime().endAll(view.works());
        Trees.delete(base.resolveSibling("."), base.getFileName().toString());
    }
}
