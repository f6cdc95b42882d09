package dev.carrel.core.host;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides what of the host a sandbox sees, read-only: the system's programs, the tool chains that
 * the caller's PATH names, and what the policy adds. Looks at files, changes nothing.
 */
public final class HostView {

    private final Caller caller;
    private final Identity identity;
    private final HostFiles files;

    /** The view of one caller for sandboxes of one identity. */
    public HostView(Caller caller, Identity identity, HostFiles files) {
        this.caller = caller;
        this.identity = identity;
        this.files = files;
    }

    /**
     * The view.
     *
     * @param extraReadOnly files and directories to show besides; a link is shown as what it leads
     *     to
     * @param stateDirectory where sessions are kept; never shown
     * @param repositories the host's repositories of the session; their own program folders are not
     *     taken from the host
     * @throws InvalidInputException if an extra path does not exist, cannot be reached by the
     *     identity, or would show what must not be seen; with all such problems
     */
    public ToolchainView view(
            List<Path> extraReadOnly, Path stateDirectory, List<Path> repositories) {
        ViewBuilder view = new ViewBuilder(files);
        new SystemView(files).addTo(view);
        new ExtraPaths(files, identity, stateDirectory).addTo(view, extraReadOnly);
        List<Path> closed = new ArrayList<>(repositories);
        closed.add(stateDirectory);
        HomeView tools = new HomeView(files, caller, identity, closed, view);
        tools.add();
        Set<Path> path = new LinkedHashSet<>(tools.path());
        for (String directory : Caller.DEFAULT_PATH.split(":", -1)) {
            if (view.paths().visible(Path.of(directory))) {
                path.add(Path.of(directory));
            }
        }
        return new ToolchainView(
                view.mounts(), List.copyOf(path), tools.variables(), tools.notices());
    }
}
