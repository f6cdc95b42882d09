package dev.carrel.core.merge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.FastImport;
import dev.carrel.core.repo.NulList;
import dev.carrel.core.repo.ScratchGit;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** One merge, by a handful of git processes however many files there are. */
public final class TreeMerge {

    private static final String BASE = "refs/carrel/base";
    private static final String HOST = "refs/carrel/host";
    private static final String SESSION = "refs/carrel/session";

    /**
     * More deleted files than this are compared for equality only: the rest grows with its square.
     */
    private static final int RENAME_LIMIT = 3_000;

    private final ScratchGit git;
    private final List<MergePath> paths;

    private TreeMerge(ScratchGit git, List<MergePath> paths) {
        this.git = git;
        this.paths = paths;
    }

    /**
     * Merges.
     *
     * @param scratch a directory of ours; a temporary one is made in it
     * @throws UnsupportedHostException if git is older than 2.38
     */
    public static MergeResult of(ProcessRunner runner, Path scratch, List<MergePath> paths)
            throws InterruptedException {
        try (ScratchGit git = ScratchGit.create(runner, scratch, "sha1")) {
            MergeSupport.require(git);
            return new TreeMerge(git, paths).run();
        }
    }

    private MergeResult run() throws InterruptedException {
        FastImport.run(git, this::load);
        MergeTreeOutput merged = MergeTreeOutput.parse(mergeTree());
        Map<TreePath, TreePath> host = renames(HOST, MergePath::host);
        Map<TreePath, TreePath> session = renames(SESSION, MergePath::session);
        List<MergeConflict> conflicts = new ArrayList<>();
        Set<TreePath> spoilt = new HashSet<>();
        for (MergeConflict conflict : merged.conflicts()) {
            Set<TreePath> all = new LinkedHashSet<>(conflict.paths());
            boolean grows = true;
            while (grows) {
                grows = all.addAll(related(all, host)) || all.addAll(related(all, session));
            }
            conflicts.add(new MergeConflict(conflict.kind(), List.copyOf(all)));
            spoilt.addAll(all);
        }
        List<MergedChange> changes =
                new MergedTreeReader(git, HOST, SESSION, merged.tree()).changes(spoilt);
        return new MergeResult(changes, conflicts, host, session);
    }

    /** Old and new names belong together: of a file in conflict neither comes nor goes. */
    private static Set<TreePath> related(Set<TreePath> paths, Map<TreePath, TreePath> renames) {
        Set<TreePath> related = new HashSet<>();
        renames.forEach((to, from) -> {
            if (paths.contains(to) || paths.contains(from)) {
                related.add(to);
                related.add(from);
            }
        });
        return related;
    }

    private void load(FastImport to) throws IOException {
        IdentityHashMap<Blob, Integer> marks = new IdentityHashMap<>();
        for (MergePath path : paths) {
            for (Optional<Blob> blob : List.of(path.base(), path.host(), path.session())) {
                if (blob.isPresent() && !marks.containsKey(blob.get())) {
                    marks.put(blob.get(), to.blob(blob.get().read()));
                }
            }
        }
        int base = to.commit(BASE);
        side(to, marks, MergePath::base);
        to.commit(HOST, base);
        side(to, marks, MergePath::host);
        to.commit(SESSION, base);
        side(to, marks, MergePath::session);
    }

    private void side(
            FastImport to,
            IdentityHashMap<Blob, Integer> marks,
            Function<MergePath, Optional<Blob>> side)
            throws IOException {
        for (MergePath path : paths) {
            Optional<Blob> blob = side.apply(path);
            if (blob.isPresent()) {
                int mark = marks.getOrDefault(blob.get(), 0);
                to.file(blob.get().mode(), path.path().bytes(), mark);
            }
        }
    }

    private List<byte[]> mergeTree() throws InterruptedException {
        Path list = git.directory().resolve("merged");
        Command plain =
                git.command(
                        List.of(
                                "-c",
                                "merge.renameLimit=" + RENAME_LIMIT,
                                "merge-tree",
                                "--write-tree",
                                "-z",
                                HOST,
                                SESSION));
        Command command =
                plain.withStreams(
                        plain.standardInput(),
                        new Command.Output.File(list),
                        plain.standardError());
        ProcessResult result = git.runner().run(command);
        // Status 1 says that there are conflicts.
        ScratchGit.requireSuccess(command, result.exit() == 1 ? 0 : result.exit(), result);
        return items(list);
    }

    private Map<TreePath, TreePath> renames(String side, Function<MergePath, Optional<Blob>> blob)
            throws InterruptedException {
        boolean possible =
                paths.stream().anyMatch(p -> p.base().isPresent() && blob.apply(p).isEmpty())
                        && paths.stream()
                                .anyMatch(p -> p.base().isEmpty() && blob.apply(p).isPresent());
        Map<TreePath, TreePath> renames = new HashMap<>();
        if (possible) {
            List<byte[]> words =
                    list(
                            git,
                            "renames",
                            List.of(
                                    "diff-tree",
                                    "-r",
                                    "-z",
                                    "-M",
                                    "-l" + RENAME_LIMIT,
                                    "--no-rename-empty",
                                    "--name-status",
                                    "--diff-filter=R",
                                    BASE,
                                    side));
            for (int i = 0; i + 2 < words.size(); i += 3) {
                renames.put(TreePath.ofBytes(words.get(i + 2)), TreePath.ofBytes(words.get(i + 1)));
            }
        }
        return renames;
    }

    /** What a command prints, item by item. */
    static List<byte[]> list(ScratchGit git, String name, List<String> arguments)
            throws InterruptedException {
        Path list = git.directory().resolve(name);
        Command plain = git.command(arguments);
        git.require(
                plain.withStreams(
                        plain.standardInput(),
                        new Command.Output.File(list),
                        plain.standardError()));
        return items(list);
    }

    private static List<byte[]> items(Path list) {
        List<byte[]> items = new ArrayList<>();
        NulList.forEach(list, items::add);
        return items;
    }

    /** ASCII, as git writes everything but paths. */
    static String text(byte[] item) {
        return new String(item, ISO_8859_1);
    }
}
