package dev.carrel.core.session;

import dev.carrel.core.host.HostReadonlyView.Hiding;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.runtime.View;
import dev.carrel.core.snapshot.ObjectMount;
import dev.carrel.core.store.SessionLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the sandbox of a session shows, from its record: the host's tools, its own files, its
 * repositories. Pure.
 */
final class SessionView {

    private static final Path NOTHING = Path.of("/dev/null");
    private static final Set<String> NAMES_OF_HOSTS = Set.of("hosts", "resolv.conf");
    private static final Path VAR_TMP = Path.of("/var/tmp");
    private static final Path TMP = Path.of("/tmp");
    private static final long CARREL_BYTES = 65_536;

    private SessionView() {}

    /**
     * What commands share. Of a session with the whole host it is without what is hidden of that,
     * which is looked for when it starts: see {@link #ofHost}.
     */
    static View of(SessionRecord record, SessionLayout layout, List<Mount> tools) {
        return switch (record.policy().view()) {
            case ViewMode.Overlay() -> ofRepositories(record, layout, tools);
            case ViewMode.HostReadonly mode ->
                    ofHost(
                            record,
                            layout,
                            tools,
                            mode,
                            new Hiding(below(record, layout), List.of()));
        };
    }

    /** The whole host with what is hidden of it, and what the session has of its own. */
    static View ofHost(
            SessionRecord record,
            SessionLayout layout,
            List<Mount> tools,
            ViewMode.HostReadonly mode,
            Hiding hiding) {
        List<Mount> mounts = new ArrayList<>();
        mounts.add(new Mount.ReadOnly(Path.of("/"), SandboxPath.of("/")));
        mounts.add(new Mount.Writable(layout.tmp(), new SandboxPath(TMP)));
        if (mode.exposeHostTmp()) {
            mounts.add(new Mount.ReadOnly(TMP, ViewMode.HostReadonly.HOST_TMP));
        }
        mounts.addAll(hiding.early());
        tools.stream().filter(mount -> !isBelowRun(mount)).forEach(mounts::add);
        for (RepoRecord repo : record.repos()) {
            if (mode.scratchOverlay()) {
                mounts.addAll(repository(repo, layout));
            } else if (repo.root().startsWith(TMP) && !repo.root().equals(TMP)) {
                mounts.add(new Mount.ReadOnly(repo.root(), repo.inside()));
            }
        }
        mounts.addAll(hiding.late());
        View view = View.of(mounts);
        return sharesHostNetwork(record) ? view.withHostNetwork() : view;
    }

    /** What a session with the whole host has below {@code /run}, where nothing is the host's. */
    static List<Mount> below(SessionRecord record, SessionLayout layout) {
        List<Mount> mounts = new ArrayList<>();
        // One of its own, since the pause still puts something there.
        mounts.add(new Mount.Tmpfs(SandboxPath.CARREL, CARREL_BYTES, 0755));
        mounts.add(new Mount.Writable(layout.home(), ViewMode.HostReadonly.HOME));
        record.tools().mounts().stream().filter(SessionView::isBelowRun).forEach(mounts::add);
        return mounts;
    }

    private static boolean isBelowRun(Mount mount) {
        return mount.target().path().startsWith("/run");
    }

    private static View ofRepositories(
            SessionRecord record, SessionLayout layout, List<Mount> tools) {
        List<Mount> mounts = new ArrayList<>(tools);
        for (String name : GeneratedFiles.of(record.identity(), "").keySet()) {
            Path source =
                    sharesHostNetwork(record) && NAMES_OF_HOSTS.contains(name)
                            ? Path.of("/etc", name)
                            : generated(layout).resolve(name);
            mounts.add(new Mount.ReadOnly(source, SandboxPath.of("/etc/" + name)));
        }
        mounts.add(new Mount.EmptyDirectory(SandboxPath.of("/run"), 0755));
        mounts.add(new Mount.EmptyDirectory(SandboxPath.CARREL, 0755));
        mounts.add(new Mount.Writable(layout.home(), SandboxPath.HOME));
        mounts.add(new Mount.Writable(layout.tmp(), new SandboxPath(TMP)));
        // Where the host's own /var/tmp holds something to be shown, it is that directory.
        if (tools.stream().noneMatch(tool -> tool.target().path().startsWith(VAR_TMP))) {
            mounts.add(new Mount.Link("/tmp", new SandboxPath(VAR_TMP)));
        }
        mounts.add(new Mount.EmptyDirectory(SandboxPath.WORKSPACE, 0755));
        for (RepoRecord repo : record.repos()) {
            mounts.addAll(repository(repo, layout));
        }
        for (SessionRecord.MountRecord extra : record.mounts()) {
            mounts.add(new Mount.ReadOnly(extra.source(), SandboxPath.of(extra.target())));
        }
        View view = View.of(mounts);
        return sharesHostNetwork(record) ? view.withHostNetwork() : view;
    }

    private static boolean sharesHostNetwork(SessionRecord record) {
        return record.policy().network() instanceof NetworkAccess.Host;
    }

    private static List<Mount> repository(RepoRecord repo, SessionLayout layout) {
        List<Mount> mounts = new ArrayList<>();
        for (ObjectMount objects : repo.base().gitObjects()) {
            mounts.add(new Mount.ReadOnly(objects.host(), objects.inside()));
            if (objects.hideAlternates()) {
                mounts.add(
                        new Mount.ReadOnly(NOTHING, objects.inside().resolve("info/alternates")));
            }
        }
        mounts.add(
                new Mount.Overlay(
                        repo.base().lowers(),
                        repo.upper(layout),
                        repo.work(layout),
                        repo.inside()));
        switch (repo.kind()) {
            case GIT, PLAIN -> mounts.addAll(masks(repo, layout));
            // Seen at more than one place; hidden with all else of the host.
            case SCRATCH -> {}
        }
        return mounts;
    }

    private static List<Mount> masks(RepoRecord repo, SessionLayout layout) {
        List<Mount> mounts = new ArrayList<>();
        repo.hidden().stream()
                .filter(hidden -> isOutermost(hidden, repo.hidden()))
                .forEach(hidden ->
                        mounts.add(
                                new Mount.ReadOnly(
                                        nothing(layout, hidden.directory()),
                                        repo.inside().resolve(hidden.path()))));
        return mounts;
    }

    /** Below a hidden directory there is nothing to mount on, and no need to. */
    private static boolean isOutermost(HiddenPath hidden, List<HiddenPath> all) {
        int index = all.indexOf(hidden);
        for (int i = 0; i < all.size(); i++) {
            HiddenPath other = all.get(i);
            boolean same = other.path().equals(hidden.path());
            if (same ? i < index : other.covers(hidden)) {
                return false;
            }
        }
        return true;
    }

    /** What is seen in place of a hidden directory or file. */
    static Path nothing(SessionLayout layout, boolean directory) {
        return hidden(layout).resolve(directory ? "directory" : "file");
    }

    static Path hidden(SessionLayout layout) {
        return layout.run().resolve("hidden");
    }

    /** Where the files of {@link GeneratedFiles} are on the host. */
    static Path generated(SessionLayout layout) {
        return layout.run().resolve("etc");
    }
}
