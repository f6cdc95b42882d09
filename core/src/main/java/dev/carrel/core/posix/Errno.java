package dev.carrel.core.posix;

/**
 * Error numbers of Linux; those below 35 and the ones listed are equal on all 64-bit machines that
 * run a JDK.
 */
public final class Errno {

    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ENOTTY = 25;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int EMLINK = 31;
    public static final int ERANGE = 34;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int ENODATA = 61;
    public static final int EOPNOTSUPP = 95;
    public static final int ESTALE = 116;
    public static final int EDQUOT = 122;

    private Errno() {}

    /** Text and name for a message, as in {@code permission denied (EACCES)}. */
    public static String describe(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted (EPERM)";
            case ENOENT -> "no such file or directory (ENOENT)";
            case ESRCH -> "no such process (ESRCH)";
            case EINTR -> "interrupted (EINTR)";
            case EIO -> "input/output error (EIO)";
            case ENXIO -> "no such device or address (ENXIO)";
            case EBADF -> "bad file descriptor (EBADF)";
            case EAGAIN -> "temporarily unavailable (EAGAIN)";
            case ENOMEM -> "out of memory (ENOMEM)";
            case EACCES -> "permission denied (EACCES)";
            case EBUSY -> "device or resource busy (EBUSY)";
            case EEXIST -> "it exists already (EEXIST)";
            case EXDEV -> "the two places are on different mounts (EXDEV)";
            case ENODEV -> "no such device (ENODEV)";
            case ENOTDIR -> "not a directory (ENOTDIR)";
            case EISDIR -> "it is a directory (EISDIR)";
            case EINVAL -> "invalid argument (EINVAL)";
            case ENFILE -> "too many open files on this system (ENFILE)";
            case EMFILE -> "too many open files in this process (EMFILE)";
            case ENOTTY -> "not supported by this kind of file (ENOTTY)";
            case EFBIG -> "the file would become too large (EFBIG)";
            case ENOSPC -> "no space left on the device (ENOSPC)";
            case EROFS -> "the file system is read-only (EROFS)";
            case EMLINK -> "too many links (EMLINK)";
            case ERANGE -> "the result is too large (ERANGE)";
            case ENAMETOOLONG -> "the name is too long (ENAMETOOLONG)";
            case ENOSYS -> "not supported by this kernel (ENOSYS)";
            case ENOTEMPTY -> "the directory is not empty (ENOTEMPTY)";
            case ELOOP -> "it is a symbolic link (ELOOP)";
            case ENODATA -> "no such attribute (ENODATA)";
            case EOPNOTSUPP -> "not supported by the file system (EOPNOTSUPP)";
            case ESTALE -> "it was removed on the server (ESTALE)";
            case EDQUOT -> "the disk quota is exceeded (EDQUOT)";
            default -> "error " + errno;
        };
    }
}
