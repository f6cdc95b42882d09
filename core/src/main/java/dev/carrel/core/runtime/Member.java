package dev.carrel.core.runtime;

import dev.carrel.core.posix.ProcessIdentity;

/**
 * A process of a session: it has the session's view, or a copy of it, in its mount table, or is on
 * its way there.
 *
 * @param pause whether it holds the session, or is about to; never one of a command
 */
record Member(ProcessIdentity process, long parent, Namespaces namespaces, boolean pause) {

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
