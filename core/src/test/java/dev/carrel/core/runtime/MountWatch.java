package dev.carrel.core.runtime;

import dev.carrel.core.posix.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Looks for two mounts of a session's overlay that exist at the same time. Each mount has a device
 * number of its own, which stands in the mount tables of the processes that hold it.
 */
final class MountWatch {

    private final Members members;
    private final Set<String> seen = new HashSet<>();
    private final List<String> twice = new ArrayList<>();

    MountWatch(Members members) {
        this.members = members;
    }

    void until(BooleanSupplier over) {
        while (!over.getAsBoolean()) {
            look();
            LockSupport.parkNanos(5_000_000);
        }
    }

    private synchronized void look() {
        Map<String, ProcessIdentity> holders = new LinkedHashMap<>();
        for (Member member : members.all()) {
            device(member.pid()).ifPresent(device -> holders.putIfAbsent(device, member.process()));
        }
        seen.addAll(holders.keySet());
        // One that died while the table of another was read proves nothing.
        holders.values().removeIf(process -> !process.isAlive());
        if (holders.size() > 1) {
            twice.add(holders.toString());
        }
    }

    private static Optional<String> device(long pid) {
        try {
            return Files.readString(
                            Path.of("/proc", Long.toString(pid), "mountinfo"),
                            StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line ->
                            line.contains("/workspace/repo ") && line.contains(" - overlay "))
                    .map(line -> line.split(" ", -1)[2])
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** How many different mounts there were. */
    synchronized int mounts() {
        return seen.size();
    }

    synchronized List<String> twice() {
        return List.copyOf(twice);
    }
}
