package dev.carrel.core.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What is done to a tree of groups. */
interface GroupFiles {

    /** The kernel's own. */
    GroupFiles HOST =
            new GroupFiles() {
                @Override
                public void makeDirectory(Path directory) throws IOException {
                    Files.createDirectory(directory);
                }

                @Override
                public void removeDirectory(Path directory) throws IOException {
                    Files.delete(directory);
                }
            };

    /** The kernel puts its files into the new directory. */
    void makeDirectory(Path directory) throws IOException;

    /** Those files do not count; groups below and processes in it do. */
    void removeDirectory(Path directory) throws IOException;

    /**
     * Only into a file that the kernel has put there: a group without it has no such controller.
     */
    default void write(Path file, String value) throws IOException {
        Files.writeString(
                file, value, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    default String read(Path file) throws IOException {
        return Files.readString(file);
    }
}
