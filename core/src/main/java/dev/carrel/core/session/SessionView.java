package dev.carrel.core.session;

import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.SandboxPath;
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

    private SessionView() {}

    static View of(SessionRecord record, SessionLayout layout, List<Mount> tools) {
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
        mounts.add(new Mount.Writable(layout.tmp(), SandboxPath.of("/tmp")));
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
                        SandboxPath.WORKSPACE.resolve(repo.name())));
        repo.hidden().stream()
                .filter(hidden -> isOutermost(hidden, repo.hidden()))
                .forEach(hidden ->
                        mounts.add(
                                new Mount.ReadOnly(
                                        nothing(layout, hidden.directory()),
                                        SandboxPath.WORKSPACE
                                                .resolve(repo.name())
                                                .resolve(hidden.path()))));
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
