package dev.carrel.core.agent;

import dev.carrel.core.adapter.AgentEvent.Change;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Walk;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of a directory as they were at one moment, but for git's own, by what the file system
 * says of each. Files that git ignores are among them.
 *
 * @param files by path
 */
record HostTree(Map<TreePath, Stamp> files) {

    private static final byte[] GIT = {'.', 'g', 'i', 't'};

    /** What differs when a file was written. */
    record Stamp(FileType type, int mode, long size, Instant modified, long inode) {}

    static HostTree of(Path root) {
        Map<TreePath, Stamp> files = new TreeMap<>();
        try (Dir directory = Dir.open(root)) {
            Walk.of(
                    directory,
                    new Walk.Visitor() {
                        @Override
                        public boolean enter(TreePath dir, Dir handle, FileStatus status) {
                            return dir.isRoot() || !isGits(dir);
                        }

                        @Override
                        public void file(TreePath path, Dir parent, FileStatus status) {
                            if (!isGits(path)) {
                                files.put(
                                        path,
                                        new Stamp(
                                                status.type(),
                                                status.mode(),
                                                status.size(),
                                                status.modified(),
                                                status.inode()));
                            }
                        }

                        @Override
                        public void unreadable(
                                TreePath dir,
                                Dir parent,
                                FileStatus status,
                                HostOperationException why) {
                            // The agent is the same user: it could not look into it either.
                        }
                    });
        }
        return new HostTree(files);
    }

    private static boolean isGits(TreePath path) {
        return Arrays.equals(path.name(), GIT);
    }

    /** What is different in the later one. */
    List<ChangedFile> changesTo(HostTree later, String repo) {
        List<ChangedFile> changes = new ArrayList<>();
        later.files.forEach((path, stamp) -> {
            Stamp before = files.get(path);
            if (before == null) {
                changes.add(new ChangedFile(repo, path, Change.ADDED));
            } else if (!before.equals(stamp)) {
                changes.add(new ChangedFile(repo, path, Change.MODIFIED));
            }
        });
        files.keySet().stream()
                .filter(path -> !later.files.containsKey(path))
                .forEach(path -> changes.add(new ChangedFile(repo, path, Change.DELETED)));
        return changes;
    }
}
