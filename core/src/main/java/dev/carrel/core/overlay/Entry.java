package dev.carrel.core.overlay;

import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import java.util.Arrays;

/** What is at a place of a tree, as far as changes are concerned. */
public sealed interface Entry {

    /** Permission bits; set-id and sticky bits are no part of any change. */
    int PERMISSIONS = 0777;

    /**
     * A file with content.
     *
     * @param mode permission bits
     * @param size in bytes
     */
    record RegularFile(int mode, long size) implements Entry {
        /** Whether its owner may execute it, which is all that git records. */
        public boolean isExecutable() {
            return (mode & 0100) != 0;
        }
    }

    /**
     * A directory, whatever it holds.
     *
     * @param mode permission bits
     */
    record Directory(int mode) implements Entry {}

    /**
     * A symbolic link.
     *
     * @param target its text, never followed
     */
    @SuppressWarnings("ArrayRecordComponent") // equality is defined below
    record Link(byte[] target) implements Entry {
        @Override
        public boolean equals(Object other) {
            return other instanceof Link(byte[] text) && Arrays.equals(target, text);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(target);
        }
    }

    /** A FIFO, socket or device: named in notices, never part of a change. */
    record Special(FileType type) implements Entry {}

    /** For people. */
    default String described() {
        return switch (this) {
            case RegularFile _ -> "a file";
            case Directory _ -> "a directory";
            case Link _ -> "a symbolic link";
            case Special(FileType type) ->
                    switch (type) {
                        case FIFO -> "a FIFO";
                        case SOCKET -> "a socket";
                        case CHAR_DEVICE, BLOCK_DEVICE -> "a device";
                        case REGULAR, DIRECTORY, SYMLINK -> throw new IllegalStateException();
                    };
        };
    }

    /** The permission bits of a status. */
    static int permissions(FileStatus status) {
        return status.mode() & PERMISSIONS;
    }
}
