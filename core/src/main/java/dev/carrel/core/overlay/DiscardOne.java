package dev.carrel.core.overlay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.MergedDirectory.Found;
import dev.carrel.core.posix.Identity;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Trees;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Discards one path from an upper layer that is not mounted. The directories above it are opened up
 * one by one, each by a last single step, so that the view never shows more of the base than it
 * should; then the entry is moved away.
 */
final class DiscardOne implements AutoCloseable {

    private static final int OWNER_ONLY = 0700;

    private final Dir upper;
    private final MergedDirectory base;
    private final Dir trash;
    private final List<Level> opened = new ArrayList<>();
    private int number;

    DiscardOne(LayerStack stack, Path trashPath) {
        this.upper = Dir.open(stack.upper());
        this.base = MergedDirectory.open(stack.lowers());
        this.trash = Dir.open(trashPath);
        while (trash.stat(trashName()).isPresent()) {
            number++;
        }
    }

    static List<byte[]> topNames(Path upperRoot) {
        try (Dir dir = Dir.open(upperRoot)) {
            return dir.names();
        }
    }

    static void emptyTrash(Path path) {
        removeTrash(path);
        try (Dir parent = Dir.open(above(path))) {
            parent.makeDir(Names.bytes(name(path)), OWNER_ONLY);
        }
    }

    static void removeTrash(Path path) {
        Trees.delete(above(path), name(path));
    }

    private static Path above(Path path) {
        return Optional.ofNullable(path.getParent())
                .orElseThrow(() -> new HostOperationException(path + " lies nowhere"));
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private byte[] trashName() {
        return Integer.toString(number).getBytes(US_ASCII);
    }

    void run(TreePath path) {
        Dir directory = upper;
        MergedDirectory below = base;
        for (byte[] name : path.parent().orElseThrow().components()) {
            Optional<Level> next = open(directory, below, name, path);
            if (next.isEmpty()) {
                return; // the base shows here already
            }
            opened.add(next.get());
            directory = next.get().directory();
            below = next.get().below();
        }
        letThroughIfThere(directory, below, path.name());
        removeEntry(directory, below, path.name());
        prune(path);
    }

    /** A directory of the upper layer on the way, and what the base has in its place. */
    private record Level(Dir directory, MergedDirectory below) implements AutoCloseable {
        @Override
        public void close() {
            directory.close();
            below.close();
        }
    }

    private Optional<Level> open(Dir parent, MergedDirectory base, byte[] name, TreePath path) {
        Optional<FileStatus> here = parent.stat(name);
        boolean hidden = here.isEmpty() && parent.isOpaque();
        if (here.isEmpty() && !hidden) {
            return Optional.empty();
        }
        Found before = base.find(name);
        boolean baseIsDirectory = before instanceof Found.Sub;
        boolean isDirectory = here.isPresent() && here.get().type() == FileType.DIRECTORY;
        if (!isDirectory) {
            boolean deleted = hidden || here.get().isWhiteout();
            if (!baseIsDirectory || !deleted) {
                before.close();
                if (baseIsDirectory) {
                    throw new ConflictException(
                            "'" + path + "' cannot come back: the session has a file above it",
                            "discard '" + Names.display(name) + "' as a whole");
                }
                return Optional.empty();
            }
            letThrough(parent, base, name);
            replaceWhiteout(parent, name, (Found.Sub) before);
        } else if (baseIsDirectory) {
            letThrough(parent, base, name);
        }
        MergedDirectory below =
                before instanceof Found.Sub sub ? sub.directory() : MergedDirectory.empty();
        return Optional.of(new Level(parent.openDir(name), below));
    }

    private void letThroughIfThere(Dir directory, MergedDirectory base, byte[] name) {
        try (Found before = base.find(name)) {
            if (!(before instanceof Found.Nothing)) {
                letThrough(directory, base, name);
            }
        }
    }

    /**
     * Makes an opaque directory an ordinary one that hides all it hid but for one name: first what
     * has no effect yet, whiteouts and opaque subdirectories, then the mark itself.
     */
    private void letThrough(Dir directory, MergedDirectory base, byte[] wanted) {
        if (!directory.isOpaque()) {
            return;
        }
        for (byte[] name : base.names()) {
            Optional<FileStatus> here = directory.stat(name);
            boolean isWanted = Arrays.equals(name, wanted);
            if (here.isEmpty()) {
                // The wanted one, too: it is let through by a step of its own.
                directory.makeWhiteout(name);
            } else if (here.get().type() == FileType.DIRECTORY) {
                try (Dir sub = directory.openDir(name);
                        Found before = base.find(name)) {
                    if (before instanceof Found.Sub || isWanted) {
                        sub.setOpaque();
                    }
                }
            }
        }
        directory.clearOpaque();
    }

    /** Puts a directory in place of a whiteout, in which everything is deleted one by one. */
    private void replaceWhiteout(Dir parent, byte[] name, Found.Sub before) {
        Optional<FileStatus> here = parent.stat(name);
        if (here.isPresent() && here.get().type() == FileType.DIRECTORY) {
            return;
        }
        byte[] fresh = trashName();
        number++;
        trash.makeDir(fresh, OWNER_ONLY);
        try (Dir made = trash.openDir(fresh)) {
            before.directory().names().forEach(made::makeWhiteout);
        }
        FileStatus model = before.status();
        // Without write permission, an ordinary user could not move it.
        trash.chmod(fresh, model.mode() | OWNER_ONLY);
        trash.setModified(fresh, model.modified());
        // Root works on layers of another user, who has to own what is in them.
        FileStatus owner = upper.stat();
        if (owner.uid() != Identity.effectiveUid()) {
            trash.chown(fresh, owner.uid(), owner.gid());
        }
        trash.exchange(fresh, parent, name);
        parent.chmod(name, model.mode());
    }

    private void removeEntry(Dir directory, MergedDirectory base, byte[] name) {
        Optional<FileStatus> here = directory.stat(name);
        if (here.isEmpty()) {
            return;
        }
        if (here.get().isWhiteout()) {
            try (Found before = base.find(name)) {
                if (before instanceof Found.Nothing) {
                    return;
                }
            }
        }
        boolean isDirectory = here.get().type() == FileType.DIRECTORY;
        int mode = here.get().mode();
        if (isDirectory && (mode & OWNER_ONLY) != OWNER_ONLY) {
            directory.chmod(name, mode | OWNER_ONLY); // to move it, its ".." has to change
        }
        directory.renameExclusive(name, trash, trashName());
        number++;
    }

    /** A directory that the session made for what is gone now goes with it. */
    private void prune(TreePath path) {
        TreePath place = path;
        for (int i = opened.size() - 1; i >= 0; i--) {
            place = place.parent().orElseThrow();
            Dir holder = i == 0 ? upper : opened.get(i - 1).directory();
            MergedDirectory below = i == 0 ? base : opened.get(i - 1).below();
            boolean isEmpty = opened.get(i).directory().names().isEmpty();
            try (Found before = below.find(place.name())) {
                if (!isEmpty || !(before instanceof Found.Nothing)) {
                    return;
                }
            }
            holder.removeDir(place.name());
        }
    }

    @Override
    public void close() {
        opened.forEach(Level::close);
        upper.close();
        base.close();
        trash.close();
    }
}
