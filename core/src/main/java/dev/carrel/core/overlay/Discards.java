package dev.carrel.core.overlay;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.store.Step;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Throws changes of a session away, so that the base shows again. Only for a session without any
 * process and mount: the kernel must not see an upper layer change under a mount; for a running one
 * see {@link RestoreTree}.
 */
public final class Discards {

    private Discards() {}

    /**
     * The steps that discard what is at or below the paths. Each leaves layers that mean what they
     * should; planned again after a kill, the rest is done. What is thrown away is first moved into
     * the directory beside the upper layer that {@code trash} names.
     *
     * @param paths the root means everything but git's own directory
     * @param trash a name in the directory that holds the upper layer
     * @throws NotFoundException for a path that neither base nor view has, unless a killed discard
     *     took it away
     * @throws ConflictException for a path whose parent is no directory in the view, but in the
     *     base: the parent has to be discarded
     */
    @SuppressWarnings("exports") // called by the session package only
    public static List<Step> plan(LayerStack stack, List<TreePath> paths, String trash) {
        paths.forEach(Discards::requireOutsideGit);
        requireKnown(stack, left(stack, paths));
        Path beside = stack.upper().resolveSibling(trash);
        DiscardNote note = DiscardNote.of(stack);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step("note the paths", () -> note.write(paths)));
        steps.add(new Step("empty " + trash, () -> DiscardOne.emptyTrash(beside)));
        for (TreePath path : expanded(stack, paths)) {
            steps.add(
                    new Step(
                            "discard " + path,
                            () -> {
                                try (DiscardOne discard = new DiscardOne(stack, beside)) {
                                    discard.run(path);
                                }
                            }));
        }
        steps.add(new Step("remove " + trash, () -> DiscardOne.removeTrash(beside)));
        steps.add(new Step("forget the paths", note::remove));
        return steps;
    }

    /** Without those that a killed discard of the same paths took away already. */
    public static List<TreePath> left(LayerStack stack, List<TreePath> paths) {
        Set<TreePath> noted = DiscardNote.of(stack).paths();
        if (noted.isEmpty()) {
            return paths;
        }
        try (MergedTree view = MergedTree.view(stack);
                MergedTree base = MergedTree.base(stack)) {
            return paths.stream()
                    .filter(path ->
                            !noted.contains(path)
                                    || view.entry(path).isPresent()
                                    || base.entry(path).isPresent())
                    .toList();
        }
    }

    private static void requireOutsideGit(TreePath path) {
        if (GitNames.isInGit(path)) {
            throw new InvalidInputException(
                    "'" + path + "' is git's own and no change of the session",
                    "use git inside the session");
        }
    }

    private static void requireKnown(LayerStack stack, List<TreePath> paths) {
        try (MergedTree view = MergedTree.view(stack);
                MergedTree base = MergedTree.base(stack)) {
            for (TreePath path : paths) {
                if (view.entry(path).isEmpty() && base.entry(path).isEmpty()) {
                    throw new NotFoundException(
                            "'" + path + "' is neither in the session nor in its base");
                }
            }
        }
    }

    private static List<TreePath> expanded(LayerStack stack, List<TreePath> paths) {
        List<TreePath> all = new ArrayList<>();
        for (TreePath path : paths) {
            if (path.isRoot()) {
                DiscardOne.topNames(stack.upper()).stream()
                        .filter(name -> !GitNames.isGit(name))
                        .forEach(name -> all.add(path.child(name)));
            } else {
                all.add(path);
            }
        }
        return all;
    }
}
