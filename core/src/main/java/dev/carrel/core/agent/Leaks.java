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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    /**
     * What a look brought.
     *
     * @param files that hold a key, or held it
     * @param unseen what could not be looked at, and why; not all where there is much of it
     */
    record Found(List<TreePath> files, List<String> unseen) {

        private static final int TOLD = 5;

        private void miss(String place) {
            if (unseen.size() < TOLD) {
                unseen.add("could not look for the key in " + place);
            }
        }
    }

    private static Found nothing() {
        return new Found(new ArrayList<>(), new ArrayList<>());
    }

    /** Files below a directory that hold a key. */
    Found in(Path directory) {
        Found found = nothing();
        visit(directory, found, (path, _, _) -> found.files().add(path));
        return found;
    }

    /** Those of these files below a directory that hold a key. */
    List<TreePath> among(List<TreePath> files, Path directory) {
        Found found = nothing();
        if (secrets.isEmpty() || !Files.isDirectory(directory)) {
            return List.of();
        }
        try (Dir root = Dir.open(directory)) {
            for (TreePath file : files) {
                look(root, file, found);
            }
        }
        return found.files();
    }

    private void look(Dir root, TreePath file, Found found) {
        Optional<Dir> parent = root.walk(file.parent().orElseThrow());
        if (parent.isPresent()) {
            try (Dir dir = parent.get()) {
                dir.stat(file.name())
                        .ifPresent(status ->
                                look(
                                        file,
                                        dir,
                                        status,
                                        found,
                                        (path, _, _) -> found.files().add(path)));
            }
        }
    }

    /**
     * Blots keys out of the files below a directory, byte by byte, so that everything else stays
     * where it is.
     */
    Found blotOut(Path directory) {
        Found found = nothing();
        visit(
                directory,
                found,
                (path, parent, content) -> {
                    found.files().add(path);
                    replace(parent, path, content.status(), blotted(content.bytes()));
                });
        return found;
    }

    /** The same in a file of Carrel itself to which others append meanwhile. */
    void overwriteIn(Path log) {
        if (secrets.isEmpty() || !Files.exists(log)) {
            return;
        }
        try (FileChannel file =
                FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            byte[] before = Files.readAllBytes(log);
            byte[] after = blotted(before);
            for (int at = 0; at < before.length; at++) {
                if (before[at] != after[at]) {
                    file.write(ByteBuffer.wrap(after, at, 1), at);
                }
            }
        } catch (IOException failed) {
            throw new HostOperationException(
                    "cannot take the key out of " + log + ": " + failed, null, failed);
        }
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

    private interface Action {
        void at(TreePath path, Dir parent, Content content);
    }

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Content(FileStatus status, byte[] bytes) {}

    private void visit(Path directory, Found found, Action action) {
        if (secrets.isEmpty() || !Files.isDirectory(directory)) {
            return;
        }
        try (Dir root = Dir.open(directory)) {
            Walk.of(root, new Looking(directory, found, action));
        } catch (CarrelException stopped) {
            found.miss("all of " + directory + ": " + stopped.message());
        }
    }

    private final class Looking implements Walk.Visitor {

        private final Path directory;
        private final Found found;
        private final Action action;

        Looking(Path directory, Found found, Action action) {
            this.directory = directory;
            this.found = found;
            this.action = action;
        }

        @Override
        public boolean enter(TreePath dir, Dir handle, FileStatus status) {
            boolean tooDeep = dir.depth() >= Walk.Limits.STANDARD.depth();
            if (tooDeep) {
                found.miss(directory + " below " + dir.depth() + " levels");
            }
            return !tooDeep;
        }

        @Override
        public void file(TreePath path, Dir parent, FileStatus status) {
            look(path, parent, status, found, action);
        }

        @Override
        public void unreadable(
                TreePath dir, Dir parent, FileStatus status, HostOperationException why) {
            found.miss(directory + "/" + dir + ": " + why.message());
        }
    }

    private void look(TreePath path, Dir parent, FileStatus status, Found found, Action action) {
        if (status.type() != FileType.REGULAR || status.size() > LARGEST || status.size() == 0) {
            return;
        }
        try (InputStream in = parent.read(path.name())) {
            byte[] bytes = in.readAllBytes();
            if (isIn(bytes)) {
                action.at(path, parent, new Content(status, bytes));
            }
        } catch (IOException | CarrelException failed) {
            if (parent.stat(path.name()).isPresent()) {
                found.miss(path + ": " + failed.getMessage());
            }
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
