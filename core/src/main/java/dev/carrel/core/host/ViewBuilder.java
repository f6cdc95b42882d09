package dev.carrel.core.host;

import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects mounts; folders above a target that nothing shows are made, readable by everybody. */
final class ViewBuilder {

    private static final int FOLDER_MODE = 0755;

    private final HostFiles files;
    private final List<Mount> mounts = new ArrayList<>();
    private final Set<Path> made = new HashSet<>();

    ViewBuilder(HostFiles files) {
        this.files = files;
    }

    /** Shows a resolved host path at a place, unless that place shows it already. */
    void show(Path resolved, Path target) {
        if (paths().visible(target)) {
            return;
        }
        makeFoldersAbove(target);
        mounts.add(new Mount.ReadOnly(resolved, new SandboxPath(target)));
    }

    void link(String text, Path target) {
        makeFoldersAbove(target);
        mounts.add(new Mount.Link(text, new SandboxPath(target)));
    }

    private void makeFoldersAbove(Path target) {
        Path above = target.getParent();
        if (above == null || above.getNameCount() == 0 || paths().covered(above)) {
            return;
        }
        makeFoldersAbove(above);
        if (made.add(above)) {
            mounts.add(new Mount.EmptyDirectory(new SandboxPath(above), FOLDER_MODE));
        }
    }

    ViewPaths paths() {
        return new ViewPaths(files, mounts);
    }

    List<Mount> mounts() {
        return List.copyOf(mounts);
    }
}
