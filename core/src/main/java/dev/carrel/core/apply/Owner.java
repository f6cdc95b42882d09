package dev.carrel.core.apply;

import dev.carrel.core.tree.FileStatus;

/** To whom a written entry belongs, where Carrel runs as root and has to say so. */
record Owner(int uid, int gid) {
    static Owner of(FileStatus status) {
        return new Owner(status.uid(), status.gid());
    }
}
