package dev.carrel.core.merge;

import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * What three trees have at one place. Places where nobody has a file may be left out.
 *
 * @param base from which both sides came
 * @param host one side
 * @param session the other side
 */
public record MergePath(
        TreePath path, Optional<Blob> base, Optional<Blob> host, Optional<Blob> session) {}
