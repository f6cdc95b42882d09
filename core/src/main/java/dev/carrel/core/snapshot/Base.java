package dev.carrel.core.snapshot;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A frozen base: the lower layers of a session's overlay and what git needs beside them.
 *
 * @param lowers the layers, topmost first
 * @param gitObjects what has to be mounted for git to find its objects
 * @param commit the pinned commit; empty for plain directories and before the first commit
 * @param branch the branch that HEAD is on inside; empty when detached
 * @param sharedSnapshot the directory shared with other sessions, whose removal breaks this base
 * @param hiddenRef the reference in the origin that keeps the commit alive; empty if the objects
 *     were copied
 * @param manifest what the origin's files looked like, for {@link BaseMethod#HARD_LINKS}
 * @param index a frozen git index of the base, for tracked files and ignore rules
 * @param notices what the user should know, one line each
 */
public record Base(
        List<Path> lowers,
        List<ObjectMount> gitObjects,
        Optional<String> commit,
        Optional<String> branch,
        Optional<Path> sharedSnapshot,
        Optional<String> hiddenRef,
        BaseMethod method,
        Optional<Path> manifest,
        Optional<Path> index,
        List<String> notices) {
    public Base {
        lowers = List.copyOf(lowers);
        gitObjects = List.copyOf(gitObjects);
        notices = List.copyOf(notices);
        if (lowers.isEmpty()) {
            throw new IllegalArgumentException("a base has a layer");
        }
    }
}
