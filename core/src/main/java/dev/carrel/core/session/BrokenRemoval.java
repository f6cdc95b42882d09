package dev.carrel.core.session;

import dev.carrel.core.apply.Applies;
import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.store.Locks;
import dev.carrel.core.store.SessionLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes away a session whose record cannot be read. Without the record its processes cannot be told
 * for sure, so none is ended: they are found by what they have mounted, and keep it from going.
 */
final class BrokenRemoval {

    private static final Duration LOCK_WITHIN = Duration.ofSeconds(30);

    private final HostTools tools;

    BrokenRemoval(HostTools tools) {
        this.tools = tools;
    }

    /**
     * @throws ConflictException if processes use it; it is as it was then
     */
    void run(Path directory) throws InterruptedException {
        SessionLayout layout = new SessionLayout(directory);
        try (Locks.Held _ = Locks.acquire(layout.applyLock(), "remove", LOCK_WITHIN);
                Locks.Held _ = Locks.acquire(layout.lock(), "remove", LOCK_WITHIN)) {
            List<Long> users = users(layout);
            if (!users.isEmpty()) {
                throw new ConflictException(
                        "the processes " + users + " still use session " + layout.id(),
                        "End them, then again: carrel session rm " + layout.id());
            }
            recover(layout);
            SessionRemoval.takeAway(directory);
        }
        new SnapshotCollection(tools).run();
    }

    /** What an apply that was cut short left on the host can be finished by its journal alone. */
    private void recover(SessionLayout layout) {
        try {
            Applies.recover(SessionApply.files(layout));
        } catch (CarrelException e) {
            tools.tell(
                    new SessionEvent.Notice(
                            "an apply of session "
                                    + layout.id()
                                    + " stays undone: "
                                    + e.message()));
        }
    }

    /** Every process of a session has its HOME mounted, whatever became of its pause. */
    private static List<Long> users(SessionLayout layout) {
        String home = "/sessions/" + layout.id() + "/home ";
        List<Long> users = new ArrayList<>();
        try (DirectoryStream<Path> processes =
                Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (mounts(process).contains(home)) {
                    users.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("/proc cannot be read", e);
        }
        return users;
    }

    private static String mounts(Path process) {
        try {
            return Files.readString(process.resolve("mountinfo"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
