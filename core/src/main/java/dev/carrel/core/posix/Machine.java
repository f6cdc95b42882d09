package dev.carrel.core.posix;

import dev.carrel.core.failure.UnsupportedHostException;

/**
 * What differs between the machines: numbers of system calls that not every C library wraps, and
 * two open flags. From the kernel's {@code unistd} and {@code fcntl} headers.
 */
record Machine(int getdents64, int renameat2, int statx, int directoryFlag, int noFollowFlag) {

    static final Machine THIS = of(System.getProperty("os.arch", ""));

    static Machine of(String architecture) {
        return switch (architecture) {
            case "amd64", "x86_64" -> new Machine(217, 316, 332, 0x10000, 0x20000);
            case "aarch64" -> new Machine(61, 276, 291, 0x4000, 0x8000);
            case "riscv64" -> new Machine(61, 276, 291, 0x10000, 0x20000);
            default ->
                    throw new UnsupportedHostException(
                            "processor architecture " + architecture + " is not supported",
                            "use a 64-bit x86, ARM or RISC-V machine");
        };
    }
}
