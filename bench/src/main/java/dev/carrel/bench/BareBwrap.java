package dev.carrel.bench;

import dev.carrel.core.bwrap.CommandOptions;
import dev.carrel.core.bwrap.MountOptions;
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
import dev.carrel.core.runtime.View;
import dev.carrel.core.seccomp.Architecture;
import dev.carrel.core.seccomp.SeccompFilter;
import dev.carrel.core.store.Ownership;
import dev.carrel.core.store.SessionLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a careful user of bubblewrap would write: the view, namespaces, limits and system call
 * filter of a session, made anew for each command, with an overlay over the repository itself.
 */
final class BareBwrap {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", "/usr/bin", "HOME", "/home/agent", "LANG", "C.UTF-8");

    private static final String FILTER = "9";

    /** A filter travels by descriptor, and only a shell can open one for a program of the JDK. */
    private static final List<String> WITH_FILTER =
            List.of("/bin/sh", "-c", "exec 9<\"$1\"; shift; exec \"$@\"", "sh");

    private final Path filter;
    private final List<String> program;
    private final List<String> options;

    private BareBwrap(Path filter, List<String> program, List<String> options) {
        this.filter = filter;
        this.program = program;
        this.options = options;
    }

    /**
     * One with a writable layer of its own.
     *
     * @param place below the workbench, not there yet
     */
    static BareBwrap over(Workbench bench, Path repository, String place) throws IOException {
        Path base = Files.createDirectory(bench.directory().resolve(place));
        Caller caller = Caller.current();
        Identity identity =
                Identities.forRepositories(List.of(new Owner(caller.uid(), caller.gid())), caller);
        SessionLayout layout = new SessionLayout(base.resolve("layers"));
        Ownership owner = new Ownership(identity.uid(), identity.gid());
        layout.createDirectory();
        layout.createContents(owner);
        layout.createLayer("repo", 1, owner);
        if (identity.switched()) {
            Files.setAttribute(base, "unix:mode", 0711);
        }
        Path filter = base.resolve("filter");
        Files.write(
                filter,
                SeccompFilter.forMode(SandboxPolicy.DEFAULT.seccomp(), Architecture.current())
                        .orElseThrow()
                        .program());
        List<String> program = new ArrayList<>(Switching.to(identity));
        program.add(bench.bwrap().toString());
        return new BareBwrap(
                filter, program, options(identity, view(caller, identity, layout, repository)));
    }

    /** The whole command line. */
    List<String> command(String... argv) {
        List<String> words = new ArrayList<>(WITH_FILTER);
        words.add(filter.toString());
        words.addAll(program);
        words.addAll(List.of("--seccomp", FILTER));
        words.addAll(options);
        return Workbench.words(words, argv);
    }

    /** The same without the system call filter, which spares the shell. */
    List<String> unfiltered(String... argv) {
        List<String> words = new ArrayList<>(program);
        words.addAll(options);
        return Workbench.words(words, argv);
    }

    private static View view(
            Caller caller, Identity identity, SessionLayout layout, Path repository) {
        List<Mount> mounts =
                new ArrayList<>(
                        new HostView(caller, identity, new LiveFiles())
                                .view(List.of(), layout.directory(), List.of(repository))
                                .mounts());
        mounts.add(new Mount.EmptyDirectory(SandboxPath.of("/run"), 0755));
        mounts.add(new Mount.Writable(layout.home(), SandboxPath.HOME));
        mounts.add(new Mount.Writable(layout.tmp(), SandboxPath.of("/tmp")));
        mounts.add(new Mount.EmptyDirectory(SandboxPath.WORKSPACE, 0755));
        mounts.add(
                new Mount.Overlay(
                        List.of(repository),
                        layout.upper("repo", 1),
                        layout.work("repo", 1),
                        SandboxPath.WORKSPACE.resolve("repo")));
        return View.of(mounts);
    }

    private static List<String> options(Identity identity, View view) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "--unshare-user",
                                "--uid",
                                Integer.toString(
                                        CommandOptions.uidInside(SandboxPolicy.DEFAULT, identity)),
                                "--gid",
                                Integer.toString(
                                        CommandOptions.gidInside(SandboxPolicy.DEFAULT, identity)),
                                "--disable-userns",
                                "--unshare-pid",
                                "--unshare-ipc",
                                "--unshare-net",
                                "--cap-drop",
                                "ALL",
                                "--die-with-parent",
                                "--new-session",
                                "--clearenv"));
        ENVIRONMENT.forEach((name, value) -> words.addAll(List.of("--setenv", name, value)));
        words.addAll(MountOptions.of(view.mounts()));
        words.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
        words.addAll(List.of("--size", "268435456", "--perms", "01777", "--tmpfs", "/dev/shm"));
        words.addAll(List.of("--chdir", "/workspace/repo"));
        words.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/", "--"));
        return words;
    }
}
