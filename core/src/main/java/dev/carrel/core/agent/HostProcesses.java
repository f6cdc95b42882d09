package dev.carrel.core.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.limits.ProcessTree;
import dev.carrel.core.posix.ProcessIdentity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The processes of an agent that has no process namespace: those below its first one, and those
 * that have its mark in their environment, which children inherit when their parent ends. One that
 * leaves its parent and clears its environment is not found; only a session holds such.
 */
final class HostProcesses {

    private static final int MOST_ROUNDS = 200;

    private final long first;
    private final Mark mark;
    private final Set<ProcessIdentity> seen = new HashSet<>();

    HostProcesses(long first, Mark mark) {
        this.first = first;
        this.mark = mark;
        note(first);
    }

    /** A variable that only the processes of one run have. */
    record Mark(String name, String value) {
        private byte[] written() {
            return (name + "=" + value).getBytes(ISO_8859_1);
        }
    }

    private void note(long pid) {
        ProcessIdentity.of(pid).ifPresent(seen::add);
    }

    /** Asks all to end. */
    synchronized void terminate() {
        living().forEach(ProcessHandle::destroy);
    }

    /** Kills all, until none is left: what is forked meanwhile is found in the next round. */
    synchronized void kill() {
        boolean interrupted = false;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<ProcessHandle> living = living();
            if (living.isEmpty()) {
                break;
            }
            living.forEach(ProcessHandle::destroyForcibly);
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<ProcessHandle> living() {
        ProcessTree.below(first).pids().forEach(this::note);
        marked().forEach(this::note);
        return seen.stream()
                // One that the kernel is taking down is waited for.
                .filter(each -> each.isAlive() || ProcessIdentity.isEnding(each.pid()))
                .flatMap(each -> ProcessHandle.of(each.pid()).stream())
                .toList();
    }

    private List<Long> marked() {
        byte[] wanted = mark.written();
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> processes =
                Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (holds(process.resolve("environ"), wanted)) {
                    found.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return found;
        }
        return found;
    }

    private static boolean holds(Path environment, byte[] wanted) {
        try {
            byte[] all = Files.readAllBytes(environment);
            return ("\0" + new String(all, ISO_8859_1))
                    .contains("\0" + new String(wanted, ISO_8859_1) + "\0");
        } catch (IOException anothersOrGone) {
            return false;
        }
    }
}
