package dev.carrel.core.snapshot;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Walk;
import java.util.Optional;

/**
 * Copies a plain directory while walking it.
 *
 * @see CopyRules
 */
final class PlainCopy implements Walk.Visitor, AutoCloseable {

    private static final int PERMISSIONS = 0777;
    private static final int DIRECTORY_MODE = 01777;
    private static final int OWNER_ALL = 0700;

    private final CopyRules rules;
    private final Optional<Manifest.Writer> manifest;
    private final Identity identity;
    private final DirCursor cursor;

    /**
     * @param manifest present: files are linked where that is allowed, and noted
     */
    PlainCopy(CopyRules rules, Optional<Manifest.Writer> manifest, Identity identity, Dir target) {
        this.rules = rules;
        this.manifest = manifest;
        this.identity = identity;
        this.cursor = new DirCursor(target);
    }

    @Override
    public boolean enter(TreePath dir, Dir handle, FileStatus status) {
        if (dir.isRoot()) {
            return true;
        }
        if (!rules.mayList(status)) {
            return false;
        }
        Dir parent = parentOf(dir);
        parent.makeDir(dir.name(), OWNER_ALL);
        return true;
    }

    @Override
    public void file(TreePath path, Dir from, FileStatus status) {
        byte[] name = path.name();
        if (!LayerWriter.isCopied(status.type())) {
            return;
        }
        Dir to = parentOf(path);
        if (manifest.isPresent() && rules.mayLink(status)) {
            from.link(name, to, name);
            // The link, not what was listed: somebody may have put another file there meanwhile.
            manifest.get().add(path, to.stat(name).orElse(status));
            return;
        }
        if (!rules.mayCopy(from, name, status)) {
            return;
        }
        if (status.type() == FileType.SYMLINK) {
            to.symlink(from.readLink(name), name);
        } else {
            to.cloneOrCopyFrom(from, name, name, status.mode() & PERMISSIONS);
        }
        finish(to, name, status);
    }

    private void finish(Dir parent, byte[] name, FileStatus status) {
        if (identity.switched()) {
            parent.chown(name, identity.uid(), identity.gid());
        }
        parent.setModified(name, status.modified());
    }

    @Override
    public void leave(TreePath dir, Dir from, FileStatus status) {
        Dir parent = parentOf(dir);
        parent.chmod(dir.name(), status.mode() & DIRECTORY_MODE);
        finish(parent, dir.name(), status);
    }

    @Override
    public void unreadable(
            TreePath dir, Dir parent, FileStatus status, HostOperationException why) {
        // Left out; the plan has said so.
    }

    private Dir parentOf(TreePath path) {
        return cursor.parentOf(path)
                .orElseThrow(
                        () -> new ConflictException("the copy of '" + path + "' lost its parent"));
    }

    @Override
    public void close() {
        cursor.close();
    }
}
