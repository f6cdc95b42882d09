package dev.carrel.core.runtime;

import dev.carrel.core.posix.ProcessIdentity;

/** A process that has the session's view, or a copy of it, in its mount table. */
record Member(ProcessIdentity process, long parent, Namespaces namespaces) {

    long pid() {
        return process.pid();
    }

    /** SIGKILL, unless its number belongs to another process by now. */
    void kill() {
        if (process.isAlive()) {
            ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
