package dev.carrel.core.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileOutput;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import dev.carrel.core.tree.TreePath;
import dev.carrel.core.tree.Walk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keys that an agent or its tools wrote into files. What is compressed or encoded is not found.
 *
 * @param secrets what nobody shall find
 */
record Leaks(List<String> secrets) {

    /** Larger files are data, not settings or notes. */
    private static final long LARGEST = 64L << 20;

    /** Files below a directory that hold a key; none where it cannot be read any more. */
    List<TreePath> in(Path directory) {
        List<TreePath> found = new ArrayList<>();
        visit(directory, (path, _, _) -> found.add(path));
        return found;
    }

    /** Those of these files below a directory that hold a key. */
    List<TreePath> among(List<TreePath> files, Path directory) {
        List<TreePath> found = new ArrayList<>();
        if (secrets.isEmpty()) {
            return found;
        }
        try (Dir root = Dir.open(directory)) {
            for (TreePath file : files) {
                Optional<Dir> parent = root.walk(file.parent().orElse(TreePath.ROOT));
                if (parent.isPresent()) {
                    try (Dir open = parent.get()) {
                        open.stat(file.name())
                                .ifPresent(status ->
                                        look(file, open, status, (path, _, _) -> found.add(path)));
                    }
                }
            }
        }
        return found;
    }

    /**
     * Blots keys out of the files below a directory, byte by byte, so that everything else stays
     * where it is.
     *
     * @return the files that had one
     */
    List<TreePath> blotOut(Path directory) {
        List<TreePath> found = new ArrayList<>();
        visit(
                directory,
                (path, parent, content) -> {
                    replace(parent, path, content.status(), blotted(content.bytes()));
                    found.add(path);
                });
        return found;
    }

    /** The same text with stars in the place of keys. */
    byte[] blotted(byte[] content) {
        String text = new String(content, ISO_8859_1);
        for (String secret : secrets) {
            String bytes = new String(secret.getBytes(UTF_8), ISO_8859_1);
            text = text.replace(bytes, "*".repeat(bytes.length()));
        }
        return text.getBytes(ISO_8859_1);
    }

    boolean isIn(byte[] content) {
        String text = new String(content, ISO_8859_1);
        return secrets.stream()
                .anyMatch(secret -> text.contains(new String(secret.getBytes(UTF_8), ISO_8859_1)));
    }

    private interface Found {
        void in(TreePath path, Dir parent, Content content);
    }

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Content(FileStatus status, byte[] bytes) {}

    private void visit(Path directory, Found found) {
        if (secrets.isEmpty() || !Files.isDirectory(directory)) {
            return;
        }
        try (Dir root = Dir.open(directory)) {
            Walk.of(
                    root,
                    new Walk.Visitor() {
                        @Override
                        public boolean enter(TreePath dir, Dir handle, FileStatus status) {
                            return true;
                        }

                        @Override
                        public void file(TreePath path, Dir parent, FileStatus status) {
                            look(path, parent, status, found);
                        }

                        @Override
                        public void unreadable(
                                TreePath dir,
                                Dir parent,
                                FileStatus status,
                                HostOperationException why) {
                            // Nobody else can read it either, but for its owner.
                        }
                    });
        }
    }

    private void look(TreePath path, Dir parent, FileStatus status, Found found) {
        if (status.type() != FileType.REGULAR || status.size() > LARGEST || status.size() == 0) {
            return;
        }
        try (InputStream in = parent.read(path.name())) {
            byte[] bytes = in.readAllBytes();
            if (isIn(bytes)) {
                found.in(path, parent, new Content(status, bytes));
            }
        } catch (IOException | CarrelException changedMeanwhile) {
            // It is gone, or another file by now.
        }
    }

    private static void replace(Dir parent, TreePath path, FileStatus status, byte[] content) {
        byte[] scratch = (".carrel-" + System.nanoTime()).getBytes(UTF_8);
        try (FileOutput out = parent.create(scratch, status.mode() & 0777)) {
            out.write(content);
        }
        parent.chown(scratch, status.uid(), status.gid());
        parent.rename(scratch, parent, path.name());
    }
}
