package dev.carrel.core.overlay;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.TreePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The base's version of some paths as an ordinary tree, for a running session: a command inside
 * removes each path and then unpacks this tree over the repository.
 *
 * @param paths what has to be removed first
 * @param tree where the base's version is; paths that the base does not have are missing in it
 */
public record RestoreTree(List<TreePath> paths, Path tree) {

    private static final int OWNER_ONLY = 0700;

    public RestoreTree {
        paths = List.copyOf(paths);
    }

    /**
     * Writes it into an empty directory of ours. Git's own directories are left out.
     *
     * @throws HostOperationException where the disk is full, or the base cannot be read; the
     *     directory is left as it is then
     */
    public static RestoreTree stage(LayerStack stack, List<TreePath> paths, Path staging) {
        try (MergedTree base = MergedTree.base(stack);
                Dir root = Dir.open(staging)) {
            for (TreePath path : paths) {
                copy(base, path, root);
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot stage the base in " + staging + ": " + e.getMessage(), null, e);
        }
        return new RestoreTree(paths, staging);
    }

    private static void copy(MergedTree base, TreePath path, Dir root) throws IOException {
        Optional<Entry> entry = base.entry(path);
        if (entry.isEmpty() || GitNames.isInGit(path)) {
            return;
        }
        if (path.isRoot()) {
            below(base, path, root);
            return;
        }
        try (Dir parent = Directories.make(root, path.parent().orElseThrow())) {
            byte[] name = path.name();
            switch (entry.get()) {
                case Entry.RegularFile(int mode, long _) -> {
                    try (InputStream in = base.read(path);
                            OutputStream out = parent.create(name, mode)) {
                        in.transferTo(out);
                    }
                }
                case Entry.Link(byte[] target) -> parent.symlink(target, name);
                case Entry.Directory(int mode) -> {
                    parent.makeDir(name, mode | OWNER_ONLY);
                    below(base, path, root);
                    parent.chmod(name, mode);
                }
                case Entry.Special _ -> {
                    return;
                }
            }
            Optional<FileStatus> status = base.status(path);
            if (status.isPresent()) {
                parent.setModified(name, status.get().modified());
            }
        }
    }

    private static void below(MergedTree base, TreePath path, Dir root) throws IOException {
        for (byte[] name : base.names(path)) {
            copy(base, path.child(name), root);
        }
    }
}
