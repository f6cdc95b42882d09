package dev.carrel.core.merge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.repo.NulList;
import dev.carrel.core.repo.ObjectId;
import dev.carrel.core.repo.ObjectPack;
import dev.carrel.core.repo.ScratchGit;
import dev.carrel.core.repo.TreeObjects;
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

    /**
     * More deleted files than this are compared for equality only: the rest grows with its square.
     */
    private static final int RENAME_LIMIT = 3_000;

    private final ScratchGit git;
    private final List<MergePath> paths;

    /** The three commits. */
    private record Sides(String base, String host, String session) {}

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
        Sides sides = ObjectPack.write(git, this::load);
        MergeTreeOutput merged = MergeTreeOutput.parse(mergeTree(sides));
        Map<TreePath, TreePath> host = renames(sides.base(), sides.host(), MergePath::host);
        Map<TreePath, TreePath> session =
                renames(sides.base(), sides.session(), MergePath::session);
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
                new MergedTreeReader(git, sides.host(), sides.session(), merged.tree())
                        .changes(spoilt);
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

    private Sides load(ObjectPack to) throws IOException {
        IdentityHashMap<Blob, ObjectId> written = new IdentityHashMap<>();
        for (MergePath path : paths) {
            for (Optional<Blob> blob : List.of(path.base(), path.host(), path.session())) {
                if (blob.isPresent() && !written.containsKey(blob.get())) {
                    written.put(blob.get(), to.blob(blob.get().read()));
                }
            }
        }
        ObjectId base = to.commit(tree(to, written, MergePath::base), Optional.empty());
        return new Sides(
                base.toString(),
                to.commit(tree(to, written, MergePath::host), Optional.of(base)).toString(),
                to.commit(tree(to, written, MergePath::session), Optional.of(base)).toString());
    }

    private ObjectId tree(
            ObjectPack to,
            IdentityHashMap<Blob, ObjectId> written,
            Function<MergePath, Optional<Blob>> side)
            throws IOException {
        TreeObjects tree = new TreeObjects();
        for (MergePath path : paths) {
            Optional<Blob> blob = side.apply(path);
            Optional<ObjectId> content = blob.map(written::get);
            if (content.isPresent()) {
                tree.add(path.path(), blob.orElseThrow().mode(), content.get());
            }
        }
        return tree.write(to);
    }

    private List<byte[]> mergeTree(Sides sides) throws InterruptedException {
        Path list = git.directory().resolve("merged");
        Command plain =
                git.command(
                        List.of(
                                "-c",
                                "merge.renameLimit=" + RENAME_LIMIT,
                                "merge-tree",
                                "--write-tree",
                                "-z",
                                sides.host(),
                                sides.session()));
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

    private Map<TreePath, TreePath> renames(
            String base, String side, Function<MergePath, Optional<Blob>> blob)
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
                                    base,
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
