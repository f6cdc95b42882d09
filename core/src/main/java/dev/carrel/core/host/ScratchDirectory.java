package dev.carrel.core.host;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A private directory for one trial, gone when closed. */
record ScratchDirectory(Path path) implements AutoCloseable {

    /** In the system's temporary directory. */
    static ScratchDirectory create() throws IOException {
        return new ScratchDirectory(Files.createTempDirectory("carrel-probe-").toRealPath());
    }

    /** Below a directory whose file system is to be tried. */
    static ScratchDirectory below(Path parent) throws IOException {
        return new ScratchDirectory(
                Files.createTempDirectory(parent, ".carrel-probe-").toRealPath());
    }

    void giveTo(Owner owner) throws IOException {
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a)
                            throws IOException {
                        chown(dir, owner);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a)
                            throws IOException {
                        chown(file, owner);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static void chown(Path file, Owner owner) throws IOException {
        Files.setAttribute(file, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(file, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes what it can; what the kernel still holds is left and said by nobody. */
    @Override
    public void close() throws IOException {
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a)
                            throws IOException {
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        // The kernel leaves its working directory without any permission.
                        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                            Files.setPosixFilePermissions(
                                    file, PosixFilePermissions.fromString("rwx------"));
                            Files.walkFileTree(file, this);
                            return FileVisitResult.CONTINUE;
                        }
                        throw failure;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path dir, @Nullable IOException failure) throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.delete(Objects.requireNonNull(dir));
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
