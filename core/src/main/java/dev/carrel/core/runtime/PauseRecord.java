package dev.carrel.core.runtime;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The process that holds a session's namespaces.
 *
 * @param process the pause, in the host's numbering
 * @param namespaces those that commands join
 * @param ownNetwork whether there is a network among them
 * @param view fingerprint of what it shows
 */
record PauseRecord(
        ProcessIdentity process, Namespaces namespaces, boolean ownNetwork, String view) {

    /** Empty where there is no such file, or one that a kill left half written. */
    static Optional<PauseRecord> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            JsonObject json = Json.read(file);
            return Optional.of(
                    new PauseRecord(
                            new ProcessIdentity(json.integer("pid"), json.integer("start")),
                            new Namespaces(json.integer("user"), json.integer("mount")),
                            json.bool("ownNetwork"),
                            json.string("view")));
        } catch (CarrelException e) {
            // Renamed away in the meantime, or unreadable: either way nobody can join through it.
            return Optional.empty();
        }
    }

    JsonObject json() {
        return JsonObject.builder()
                .put("pid", process.pid())
                .put("start", process.startTime())
                .put("user", namespaces.user())
                .put("mount", namespaces.mount())
                .put("ownNetwork", ownNetwork)
                .put("view", view)
                .build();
    }

    boolean isAlive() {
        return process.isAlive();
    }
}
