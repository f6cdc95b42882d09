package dev.carrel.core.snapshot;

import dev.carrel.core.tree.TreePath;

/** The lines that more than one part of a plan writes. */
final class Notices {

    private Notices() {}

    static String unreadable(int count, TreePath first) {
        return counted(count, "file or directory", "files and directories")
                + " left out, not readable: "
                + andMore(count, first);
    }

    static String special(int count, TreePath first) {
        return counted(count, "FIFO, socket or device", "FIFOs, sockets and devices")
                + " left out: "
                + andMore(count, first);
    }

    static String counted(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    private static String andMore(int count, TreePath first) {
        return count == 1 ? first.toString() : first + " and more";
    }
}
