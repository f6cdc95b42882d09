package dev.carrel.core.apply;

import dev.carrel.core.overlay.IgnoreFilter;
import dev.carrel.core.overlay.LayerStack;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.testing.OverlayWriter;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A host checkout, a base that equals it, and what a session wants it to be. {@code wanted} is an
 * ordinary directory that tests edit; the upper layer is made from it.
 */
final class Bench {

    final Path host;
    final Path base;
    final Path wanted;
    final Path upper;
    final Path state;
    List<TreePath> paths = List.of();
    ProcessRunner runner = new HostProcessRunner();
    boolean partial;
    Syncing syncing = Syncing.EACH;
    IgnoreFilter ignore = IgnoreFilter.nothing();
    ModeMatch modes = ModeMatch.EXACT;
    Optional<HostRecord> record = Optional.empty();

    Bench(Path parent) {
        try {
            host = Files.createDirectories(parent.resolve("host"));
            base = Files.createDirectories(parent.resolve("base"));
            wanted = Files.createDirectories(parent.resolve("wanted"));
            upper = Files.createDirectories(parent.resolve("session/upper"));
            state = Files.createDirectories(parent.resolve("session/state"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes host, base and wanted tree the same as {@code host} is now. */
    Bench start() {
        replace(host, base);
        replace(host, wanted);
        return this;
    }

    /** Makes the layer from the wanted tree. */
    Bench session(long seed) {
        empty(upper);
        new OverlayWriter(seed).write(base, wanted, upper);
        return this;
    }

    LayerStack stack() {
        return new LayerStack(upper, List.of(base));
    }

    Path journal() {
        return state.resolve("apply.json");
    }

    Path applied() {
        return state.resolve("applied");
    }

    ApplyRequest request() {
        ApplyTarget target = new ApplyTarget("repo", host, stack(), ignore, paths, modes, record);
        return new ApplyRequest(
                List.of(target), true, partial, files(), new MergeTool(runner, state));
    }

    ApplyFiles files() {
        return new ApplyFiles(
                journal(),
                applied(),
                state.resolve("undo"),
                state.resolve("ancestors"),
                state.resolve("conflicts"));
    }

    ApplyPlan plan() throws InterruptedException {
        return Applies.plan(request(), _ -> syncing);
    }

    void apply() throws InterruptedException {
        Applies.run(files(), plan());
    }

    ApplyPlan planUndo() {
        return Undos.plan(new UndoRequest(Map.of("repo", host), partial, files()), _ -> syncing);
    }

    void undo() throws InterruptedException {
        Applies.run(files(), planUndo());
    }

    Optional<Recovery> recover() {
        return Applies.recover(files());
    }

    SortedMap<TreePath, String> image() {
        return TreeImage.of(host);
    }

    List<String> conflicts() throws InterruptedException {
        return plan().conflicts().stream().map(ApplyConflict::toString).toList();
    }

    static void write(Path root, String path, String content) {
        try {
            Path file = root.resolve(path);
            Path parent = file.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path root, String path) {
        try (Dir top = Dir.open(root);
                Dir dir = top.walk(TreePath.of(path).parent().orElseThrow()).orElseThrow()) {
            Trees.delete(dir, TreePath.of(path).name());
        }
    }

    private static void empty(Path root) {
        try (Dir dir = Dir.open(root)) {
            dir.names().forEach(name -> Trees.delete(dir, name));
        }
    }

    static void replace(Path from, Path to) {
        empty(to);
        try (Dir source = Dir.open(from);
                Dir target = Dir.open(to)) {
            copy(source, target);
        }
    }

    private static void copy(Dir from, Dir to) {
        for (byte[] name : from.names()) {
            FileStatus status = from.stat(name).orElseThrow();
            switch (status.type()) {
                case REGULAR -> to.cloneOrCopyFrom(from, name, name, status.mode());
                case SYMLINK -> to.symlink(from.readLink(name), name);
                case DIRECTORY -> {
                    to.makeDir(name, status.mode() | 0700);
                    try (Dir source = from.openDir(name);
                            Dir target = to.openDir(name)) {
                        copy(source, target);
                    }
                    to.chmod(name, status.mode());
                }
                case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> {}
            }
        }
    }
}
