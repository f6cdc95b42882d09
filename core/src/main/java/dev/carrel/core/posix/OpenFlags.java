package dev.carrel.core.posix;

/** Flags of {@link Entries#open}. All opens of Carrel also carry {@link #CLOSE_ON_EXEC}. */
public final class OpenFlags {

    public static final int READ_ONLY = 0;
    public static final int WRITE_ONLY = 1;
    public static final int READ_WRITE = 2;
    public static final int CREATE = 0x40;
    public static final int EXCLUSIVE = 0x80;

    /** A terminal that is opened does not become the one that controls this process. */
    public static final int NO_CONTROLLING_TERMINAL = 0x100;

    public static final int TRUNCATE = 0x200;

    /** Opening a FIFO or a device then never waits. */
    public static final int NON_BLOCKING = 0x800;

    public static final int CLOSE_ON_EXEC = 0x80000;

    /** Only a handle on the place: no permission on the file is needed, nothing can be read. */
    public static final int PATH_ONLY = 0x200000;

    public static final int DIRECTORY = Machine.THIS.directoryFlag();
    public static final int NO_FOLLOW = Machine.THIS.noFollowFlag();

    private OpenFlags() {}
}
