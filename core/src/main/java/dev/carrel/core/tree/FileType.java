package dev.carrel.core.tree;

/** What a directory entry is. */
public enum FileType {
    REGULAR,
    DIRECTORY,
    SYMLINK,
    FIFO,
    SOCKET,
    CHAR_DEVICE,
    BLOCK_DEVICE;

    private static final int TYPE_BITS = 0xf000;

    /** From {@code st_mode}. */
    static FileType of(int mode) {
        return switch (mode & TYPE_BITS) {
            case 0x1000 -> FIFO;
            case 0x2000 -> CHAR_DEVICE;
            case 0x4000 -> DIRECTORY;
            case 0x6000 -> BLOCK_DEVICE;
            case 0x8000 -> REGULAR;
            case 0xa000 -> SYMLINK;
            case 0xc000 -> SOCKET;
            default ->
                    throw new IllegalArgumentException("file mode " + Integer.toOctalString(mode));
        };
    }

    /** With its article, for messages. */
    String described() {
        return switch (this) {
            case REGULAR -> "a regular file";
            case DIRECTORY -> "a directory";
            case SYMLINK -> "a symbolic link";
            case FIFO -> "a FIFO";
            case SOCKET -> "a socket";
            case CHAR_DEVICE -> "a character device";
            case BLOCK_DEVICE -> "a block device";
        };
    }
}
