package dev.carrel.core.overlay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Writes change sets as git does, with the help of git on a scratch repository of our own. */
public final class DiffPrinter {

    private static final List<String> PATCH = List.of("-p", "--binary", "--full-index");
    private static final List<String> STAT = List.of("--stat=100");

    private static final int READ_BITS = 0444;

    private final ProcessRunner runner;
    private final Path scratch;

    /**
     * @param scratch a directory of ours; a temporary one is made in it for each diff
     */
    @SuppressWarnings("exports") // called by the session package only
    public DiffPrinter(ProcessRunner runner, Path scratch) {
        this.runner = runner;
        this.scratch = scratch;
    }

    /**
     * Writes the changes; with more than one repository, paths begin with its name. What git cannot
     * express (empty directories, modes beyond "executable", files above 64 MiB) is in lines of its
     * own that begin with {@code #}, which {@code git apply} skips.
     *
     * @param colour whether patches and statistics are coloured for a terminal
     */
    public void print(List<RepoChanges> repos, DiffFormat format, boolean colour, OutputStream to)
            throws InterruptedException {
        try {
            switch (format) {
                case PATCH -> {
                    // One after the other: git need not hold the files of all of them.
                    for (RepoChanges repo : repos) {
                        byGit(List.of(repo), repos.size() > 1, PATCH, colour, to);
                    }
                }
                case STAT -> byGit(repos, repos.size() > 1, STAT, colour, to);
                case NAME_STATUS -> {
                    for (RepoChanges repo : repos) {
                        names(repo, prefix(repo, repos.size() > 1), to);
                    }
                }
            }
            to.flush();
        } catch (IOException e) {
            throw new HostOperationException("cannot write the diff: " + e.getMessage(), null, e);
        }
    }

    private static TreePath prefix(RepoChanges repo, boolean several) {
        return several ? TreePath.ROOT.child(repo.name()) : TreePath.ROOT;
    }

    /**
     * Writes a patch that {@code git apply} takes, and nothing else; where more than one repository
     * changed, paths begin with its name.
     *
     * @return what it cannot carry, for people: empty directories, permission bits
     * @throws HostOperationException if it cannot carry a whole file, because it is too large
     */
    public List<String> patch(List<RepoChanges> all, OutputStream to) throws InterruptedException {
        List<RepoChanges> repos = all.stream().filter(r -> !r.changeSet().isEmpty()).toList();
        List<String> left = new ArrayList<>();
        for (RepoChanges repo : repos) {
            TreePath prefix = prefix(repo, repos.size() > 1);
            GitExpressible split = GitExpressible.of(repo.changeSet());
            for (GitExpressible.Remark remark : split.remarks()) {
                if (remark.isOfWhole()) {
                    throw new HostOperationException(
                            "a patch cannot carry '"
                                    + remark.change().path()
                                    + "': "
                                    + remark.text(),
                            "name the paths to take");
                }
                left.add(remark.text() + ": " + shown(prefix, remark.change()));
            }
            for (Change change : split.changes()) {
                if (isPrivate(change)) {
                    left.add("not readable for all: " + shown(prefix, change));
                }
            }
            var part = new DiffRepository.Part(repo.stack(), split.changes(), prefix);
            try (DiffRepository git = DiffRepository.create(runner, scratch, List.of(part))) {
                git.diff(Stream.concat(PATCH.stream(), Stream.of("--color=never")).toList(), to);
            }
        }
        return left;
    }

    /** git would create it by the umask alone. */
    private static boolean isPrivate(Change change) {
        return !(change.before().orElse(null) instanceof Entry.RegularFile)
                && change.after().orElse(null) instanceof Entry.RegularFile file
                && (file.mode() & READ_BITS) != READ_BITS;
    }

    private void byGit(
            List<RepoChanges> repos,
            boolean several,
            List<String> options,
            boolean colour,
            OutputStream to)
            throws IOException, InterruptedException {
        List<DiffRepository.Part> parts = new ArrayList<>();
        for (RepoChanges repo : repos) {
            TreePath prefix = prefix(repo, several);
            GitExpressible split = GitExpressible.of(repo.changeSet());
            for (GitExpressible.Remark remark : split.remarks()) {
                line(to, "# " + remark.text() + ": " + shown(prefix, remark.change()));
            }
            if (!split.changes().isEmpty()) {
                parts.add(new DiffRepository.Part(repo.stack(), split.changes(), prefix));
            }
        }
        if (parts.isEmpty()) {
            return;
        }
        List<String> all = new ArrayList<>(options);
        all.add(colour ? "--color=always" : "--color=never");
        try (DiffRepository git = DiffRepository.create(runner, scratch, parts)) {
            git.diff(all, to);
        }
    }

    private void names(RepoChanges repo, TreePath prefix, OutputStream to)
            throws IOException, InterruptedException {
        ChangeSet set = withRenames(repo.stack(), repo.changeSet());
        Set<TreePath> moved = new HashSet<>();
        set.changes().forEach(change -> change.renamedFrom().ifPresent(moved::add));
        for (Change change : set.listed()) {
            Optional<TreePath> from = change.renamedFrom();
            if (from.isPresent()) {
                line(to, "R\t" + quoted(prefix, from.get()) + "\t" + shown(prefix, change));
            } else if (!moved.contains(change.path())) {
                line(to, change.kind().letter() + "\t" + shown(prefix, change));
            }
        }
    }

    /**
     * The same changes, with the added files that git takes for renamed ones marked. The deleted
     * side stays in the set.
     */
    public ChangeSet withRenames(LayerStack stack, ChangeSet set) throws InterruptedException {
        boolean possible =
                set.changes().stream().anyMatch(c -> isFile(c.before()) && c.after().isEmpty())
                        && set.changes().stream()
                                .anyMatch(c -> isFile(c.after()) && c.before().isEmpty());
        if (!possible) {
            return set;
        }
        List<Change> candidates = GitExpressible.of(set).changes();
        Map<TreePath, TreePath> renames;
        var part = new DiffRepository.Part(stack, candidates, TreePath.ROOT);
        try (DiffRepository git = DiffRepository.create(runner, scratch, List.of(part))) {
            renames = git.renames();
        }
        List<Change> marked =
                set.changes().stream()
                        .map(c ->
                                Optional.ofNullable(renames.get(c.path()))
                                        .map(c::renamed)
                                        .orElse(c))
                        .toList();
        return new ChangeSet(marked, set.notices(), set.complete());
    }

    private static boolean isFile(Optional<Entry> entry) {
        return entry.filter(e -> !(e instanceof Entry.Directory)).isPresent();
    }

    private static String shown(TreePath prefix, Change change) {
        boolean directory =
                change.after().or(change::before).orElse(null) instanceof Entry.Directory;
        TreePath path = change.path();
        String name = quoted(prefix, path);
        if (!directory) {
            return name;
        }
        return name.endsWith("\"") ? name.substring(0, name.length() - 1) + "/\"" : name + "/";
    }

    private static String quoted(TreePath prefix, TreePath path) {
        String displayed = (prefix.isRoot() ? "" : prefix + "/") + path;
        boolean plain = new String(path.bytes(), UTF_8).equals(path.toString());
        return plain ? displayed : '"' + displayed + '"';
    }

    private static void line(OutputStream to, String text) throws IOException {
        to.write((text + "\n").getBytes(UTF_8));
    }
}
