package dev.carrel.core.posix;

/** Flags of {@link Entries#open}. All opens of Carrel also carry {@link #CLOSE_ON_EXEC}. */
public final class OpenFlags {

    public static final int READ_ONLY = 0;
    public static final int WRITE_ONLY = 1;
    public static final int CREATE = 0x40;
    public static final int EXCLUSIVE = 0x80;

    /** Opening a FIFO or a device then never waits. */
    public static final int NON_BLOCKING = 0x800;

    public static final int CLOSE_ON_EXEC = 0x80000;

    /** Only a handle on the place: no permission on the file is needed, nothing can be read. */
    public static final int PATH_ONLY = 0x200000;

    public static final int DIRECTORY = Machine.THIS.directoryFlag();
    public static final int NO_FOLLOW = Machine.THIS.noFollowFlag();

    private OpenFlags() {}
}
