package dev.carrel.core.snapshot;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.nio.file.Path;
import java.util.Optional;

/** What an overlay would show of layers, put together by copying, with owners and times. */
final class MergedView {

    private MergedView() {}

    /** Lays a layer over what is there: a directory of this name. */
    static void add(Path layer, Path parent, String name) {
        byte[] view = Names.bytes(name);
        try (Dir from = Dir.open(layer);
                Dir beside = Dir.open(parent);
                Dir to = beside.openDir(view)) {
            add(from, to);
            alike(beside, view, from.stat());
        }
    }

    private static void add(Dir from, Dir to) {
        for (byte[] name : from.names()) {
            FileStatus status = from.stat(name).orElseThrow();
            boolean merged =
                    status.type() == FileType.DIRECTORY
                            && to.stat(name)
                                    .map(FileStatus::type)
                                    .equals(Optional.of(status.type()));
            if (!merged) {
                Trees.delete(to, name);
            }
            switch (status.type()) {
                case REGULAR -> to.cloneOrCopyFrom(from, name, name, status.mode());
                case SYMLINK -> to.symlink(from.readLink(name), name);
                case DIRECTORY -> directory(from, to, name, merged);
                case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> {
                    continue; // a whiteout; what it hides is gone
                }
            }
            alike(to, name, status);
        }
    }

    private static void alike(Dir dir, byte[] name, FileStatus status) {
        dir.chown(name, status.uid(), status.gid());
        if (status.type() != FileType.SYMLINK) {
            dir.chmod(name, status.mode()); // again, as a new owner drops bits
        }
        dir.setModified(name, status.modified());
    }

    private static void directory(Dir from, Dir to, byte[] name, boolean merged) {
        if (!merged) {
            to.makeDir(name, 0700);
        }
        try (Dir source = from.openDir(name);
                Dir target = to.openDir(name)) {
            add(source, target);
        }
    }
}
