package dev.carrel.core.overlay;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.process.ProcessRunner;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/** Writes change sets as git does, with the help of git on a scratch repository of our own. */
public final class DiffPrinter {

    private final ProcessRunner runner;
    private final Path scratch;

    /**
     * @param scratch a directory of ours; a temporary one is made in it for each diff
     */
    public DiffPrinter(ProcessRunner runner, Path scratch) {
        this.runner = runner;
        this.scratch = scratch;
    }

    /**
     * Writes the changes; with more than one repository, paths begin with its name. What git cannot
     * express (empty directories, their modes, files too large) is in lines of its own, which
     * {@code git apply} skips.
     */
    @SuppressWarnings("DoNotCallSuggester")
    public void print(List<RepoChanges> repos, DiffFormat format, boolean colour, OutputStream to)
            throws InterruptedException {
        throw UnsupportedHostException.notYet(
                "diff " + runner + scratch + repos + format + colour + to);
    }
}
