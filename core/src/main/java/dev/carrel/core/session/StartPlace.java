package dev.carrel.core.session;

import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a command starts. What the session has there is looked up from the host, so that a wrong
 * name is told before anything is started; what only the kernel can tell is left to it.
 */
record StartPlace(SessionRecord record, SessionLayout layout, Path currentDirectory) {

    /** What is there. */
    private enum Look {
        DIRECTORY,
        NO_DIRECTORY,
        MISSING,
        /** Behind a link, outside of the repositories, or of a session that is only planned. */
        UNKNOWN
    }

    /**
     * @param wanted what was asked for; without it a command starts where the caller is, if the
     *     session has that directory, else in the first repository
     * @throws NotFoundException if the session has no such directory
     */
    SandboxPath of(Optional<String> wanted) {
        PathArguments arguments = new PathArguments(record.repos(), currentDirectory);
        if (wanted.isEmpty()) {
            return arguments
                    .here()
                    .filter(here -> look(arguments.placeOf(here)) == Look.DIRECTORY)
                    .orElseGet(arguments::firstRoot);
        }
        SandboxPath directory = arguments.directory(wanted.get());
        return switch (look(arguments.placeOf(directory))) {
            case DIRECTORY, UNKNOWN -> directory;
            case NO_DIRECTORY ->
                    throw new NotFoundException(
                            "no command can start in " + directory + ": it is no directory",
                            "Name one: --cwd DIR");
            case MISSING ->
                    throw new NotFoundException(
                            "no command can start in "
                                    + directory
                                    + ": the session has no such directory",
                            "Name one that it has: --cwd DIR. Directories of the host that are"
                                    + " empty or ignored by git are not in it.");
        };
    }

    private Look look(Optional<PathArguments.Place> place) {
        if (place.isEmpty() || !layout.exists()) {
            return Look.UNKNOWN;
        }
        try (MergedTree view = MergedTree.view(place.get().repo().stack(layout))) {
            TreePath at = TreePath.ROOT;
            for (byte[] name : place.get().path().components()) {
                at = at.child(name);
                Optional<Entry> found = view.entry(at);
                if (found.isEmpty()) {
                    return Look.MISSING;
                } else if (!(found.get() instanceof Entry.Directory)) {
                    return found.get() instanceof Entry.Link ? Look.UNKNOWN : Look.NO_DIRECTORY;
                }
            }
            return Look.DIRECTORY;
        }
    }
}
