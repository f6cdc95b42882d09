package dev.carrel.bench;

import dev.carrel.core.bwrap.CommandOptions;
import dev.carrel.core.bwrap.MountOptions;
import dev.carrel.core.bwrap.Options;
import dev.carrel.core.bwrap.Switching;
import dev.carrel.core.host.Caller;
import dev.carrel.core.host.HostView;
import dev.carrel.core.host.Identities;
import dev.carrel.core.host.LiveFiles;
import dev.carrel.core.host.Owner;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.runtime.RunningCommand;
import dev.carrel.core.runtime.RuntimeFiles;
import dev.carrel.core.runtime.SandboxedCommand;
import dev.carrel.core.runtime.SessionRuntime;
import dev.carrel.core.runtime.View;
import dev.carrel.core.store.Ownership;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A session with one empty repository, and the same view for bubblewrap alone. */
final class BenchSession {

    /** Before there is one. */
    static final BenchSession NONE = new BenchSession(Optional.empty());

    private static final SandboxPath WORKSPACE = SandboxPath.WORKSPACE.resolve("repo");
    private static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", "/usr/bin", "HOME", "/home/agent", "LANG", "C.UTF-8");
    private static final int ARGS = 8;

    private final Optional<Parts> parts;
    private Optional<RunningCommand> holder = Optional.empty();

    private record Parts(
            ProcessRunner runner,
            Path bwrap,
            Path base,
            Identity identity,
            SessionRuntime runtime,
            View joined,
            View bare) {}

    private BenchSession(Optional<Parts> parts) {
        this.parts = parts;
    }

    static BenchSession create(ProcessRunner runner) throws IOException {
        Path bwrap = Path.of(Optional.ofNullable(System.getenv("CARREL_BWRAP")).orElseThrow());
        Path base = Files.createTempDirectory("carrel-bench");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        Caller caller = Caller.current();
        Identity identity =
                Identities.forRepositories(List.of(new Owner(caller.uid(), caller.gid())), caller);
        Ownership owner = new Ownership(identity.uid(), identity.gid());
        SessionLayout layout = new SessionLayout(base.resolve("session"));
        RuntimeFiles files = new RuntimeFiles(layout.directory(), base.resolve("lock"));
        createDirectories(layout, files, owner);
        SessionLayout.createLeaf(base.resolve("lower"), owner);
        List<Mount> tools =
                new HostView(caller, identity, new LiveFiles())
                        .view(List.of(), base, List.of())
                        .mounts();
        SessionRuntime runtime =
                new SessionRuntime(runner, bwrap, identity, files, UUID.randomUUID().toString());
        return new BenchSession(
                Optional.of(
                        new Parts(
                                runner,
                                bwrap,
                                base,
                                identity,
                                runtime,
                                view(tools, layout, base, 1),
                                view(tools, layout, base, 2))));
    }

    private static void createDirectories(
            SessionLayout layout, RuntimeFiles files, Ownership owner) {
        layout.createDirectory();
        layout.createContents(owner);
        layout.createPrivate(files.commands());
        files.ownedBySandboxUser().forEach(directory -> SessionLayout.createLeaf(directory, owner));
        byte[] fifo = "alive".getBytes(StandardCharsets.UTF_8);
        try (Dir hold = Dir.open(files.hold())) {
            hold.makeFifo(fifo, 0600);
            if (owner.uid() != Ownership.ofCaller().uid()) {
                hold.chown(fifo, owner.uid(), owner.gid());
            }
        }
        layout.createLayer("repo", 1, owner);
        layout.createLayer("repo", 2, owner);
    }

    private static View view(List<Mount> tools, SessionLayout layout, Path base, int layer) {
        List<Mount> mounts = new ArrayList<>(tools);
        mounts.add(new Mount.EmptyDirectory(SandboxPath.of("/run"), 0755));
        mounts.add(new Mount.EmptyDirectory(SandboxPath.CARREL, 0755));
        mounts.add(new Mount.Writable(layout.home(), SandboxPath.HOME));
        mounts.add(new Mount.Writable(layout.tmp(), SandboxPath.of("/tmp")));
        mounts.add(new Mount.EmptyDirectory(SandboxPath.WORKSPACE, 0755));
        mounts.add(
                new Mount.Overlay(
                        List.of(base.resolve("lower")),
                        layout.upper("repo", layer),
                        layout.work("repo", layer),
                        WORKSPACE));
        return View.of(mounts);
    }

    private Parts parts() {
        return parts.orElseThrow();
    }

    /** Keeps the session running until it is removed. */
    void hold() throws InterruptedException {
        holder = Optional.of(start("sleep", "1000000"));
    }

    ProcessResult runJoined() throws InterruptedException {
        return start("/usr/bin/true").await();
    }

    private RunningCommand start(String... program) throws InterruptedException {
        Options options =
                CommandOptions.of(
                        SandboxPolicy.DEFAULT,
                        parts().identity(),
                        ENVIRONMENT,
                        WORKSPACE,
                        false,
                        false);
        return RunningCommand.start(
                parts().runtime(),
                parts().runner(),
                parts().identity(),
                () -> parts().joined(),
                new SandboxedCommand(options, Optional.empty(), List.of(program), false),
                streams -> streams);
    }

    /** What a careful user of bubblewrap would write: the same mounts, namespaces and limits. */
    ProcessResult runBare() throws InterruptedException {
        Path file = parts().base().resolve("bare.args");
        try {
            Files.write(file, bareOptions().fileContent());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        List<String> argv = new ArrayList<>(Switching.to(parts().identity()));
        argv.addAll(
                List.of(
                        parts().bwrap().toString(),
                        "--args",
                        Integer.toString(ARGS),
                        "--",
                        "/usr/bin/true"));
        return parts().runner()
                .run(
                        Command.of(argv)
                                .handingOver(
                                        List.of(
                                                new HandedOver(
                                                        ARGS, file, HandedOver.Access.READ))));
    }

    private Options bareOptions() {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "--unshare-user --disable-userns --unshare-pid --unshare-ipc"
                                        .split(" ", -1)));
        words.addAll(List.of("--unshare-net", "--cap-drop", "ALL", "--die-with-parent"));
        words.add("--clearenv");
        ENVIRONMENT.forEach((name, value) -> words.addAll(List.of("--setenv", name, value)));
        words.addAll(MountOptions.of(parts().bare().mounts()));
        words.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
        words.addAll(List.of("--size", "268435456", "--perms", "01777", "--tmpfs", "/dev/shm"));
        words.addAll(List.of("--chdir", WORKSPACE.toString()));
        words.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/"));
        return new Options(words);
    }

    void remove() throws InterruptedException {
        holder.ifPresent(RunningCommand::cancel);
        parts().runtime().endAll(parts().joined().works());
        Path base = parts().base();
        Trees.delete(base.resolveSibling("."), String.valueOf(base.getFileName()));
    }
}
