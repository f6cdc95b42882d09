package dev.carrel.core.apply;

import dev.carrel.core.overlay.IgnoreFilter;
import dev.carrel.core.overlay.LayerStack;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One repository of a session and where its changes go.
 *
 * @param repoName under which the session has it
 * @param hostRoot the top of the user's checkout, absolute
 * @param ignore what is left out unless asked for
 * @param paths what to take; none means everything
 * @param modes how exactly permission bits of the host have to match
 * @param record what the host's files looked like when the base was made, where the base shares
 *     their content and so cannot tell
 */
public record ApplyTarget(
        String repoName,
        Path hostRoot,
        LayerStack stack,
        IgnoreFilter ignore,
        List<TreePath> paths,
        ModeMatch modes,
        Optional<HostRecord> record) {

    public ApplyTarget {
        paths = List.copyOf(paths);
        if (!hostRoot.isAbsolute()) {
            throw new IllegalArgumentException(hostRoot + " is not absolute");
        }
    }
}
