package dev.carrel.core.bwrap;

import java.util.List;

/** The least that a program of the host needs to be seen to run: its directories and its linker. */
final class SystemPrograms {

    /** The options that show them, read-only. */
    static final List<String> VIEW =
            List.of(
                    "--ro-bind",
                    "/usr",
                    "/usr",
                    "--symlink",
                    "usr/lib",
                    "/lib",
                    "--symlink",
                    "usr/lib64",
                    "/lib64",
                    "--symlink",
                    "usr/bin",
                    "/bin",
                    "--ro-bind-try",
                    "/etc/ld.so.cache",
                    "/etc/ld.so.cache");

    private SystemPrograms() {}
}
