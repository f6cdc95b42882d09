package dev.carrel.core.seccomp;

/** What a denied call answers. Numbers of Linux on x86-64 and aarch64. */
enum Errno {
    /** The call exists and is forbidden. */
    EPERM(1),
    /** The call does not exist: libraries take their older way. */
    ENOSYS(38),
    /** The kernel was built without this kind of socket. */
    EAFNOSUPPORT(97);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
