package dev.carrel.core.apply;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.tree.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an apply is at, on disk before it goes there.
 *
 * <p>Three files: the state; {@code .operations}, complete before the state says {@code
 * COMMITTING}; {@code .applied}, what will be remembered once all is in place.
 *
 * @param repos where the staging directories are
 * @param keeps whether what was replaced is kept for an undo
 */
record Journal(State state, List<Place> repos, boolean keeps) {

    private static final int VERSION = 2;

    /** How far it has come. */
    enum State {
        /** Nothing of the host has changed but for the staging directories. */
        STAGING,
        /** The host is being changed; all that is needed is staged. */
        COMMITTING,
        /** The host is as wanted. */
        DONE
    }

    /**
     * @param staging the name of the hidden directory in the root
     */
    record Place(Path root, String staging) {}

    Journal {
        repos = List.copyOf(repos);
    }

    static Optional<Journal> load(Path file) {
        return Json.readIfExists(file).map(json -> parse(file, json));
    }

    private static Journal parse(Path file, JsonObject json) {
        long version = json.integer("version");
        if (version != VERSION) {
            throw new BrokenStoreException(
                    file + " was written by another version: " + version,
                    "finish that apply with the version that began it");
        }
        List<Place> repos = new ArrayList<>();
        for (JsonObject repo : json.objects("repos")) {
            repos.add(new Place(Path.of(repo.string("root")), repo.string("staging")));
        }
        return new Journal(State.valueOf(json.string("state")), repos, json.bool("keeps"));
    }

    void save(Path file) {
        List<JsonObject> places =
                repos.stream()
                        .map(repo ->
                                JsonObject.builder()
                                        .put("root", repo.root().toString())
                                        .put("staging", repo.staging())
                                        .build())
                        .toList();
        Json.write(
                file,
                JsonObject.builder()
                        .put("version", VERSION)
                        .put("state", state.name())
                        .put("keeps", keeps)
                        .putObjects("repos", places)
                        .build());
    }

    Journal at(State next) {
        return new Journal(next, repos, keeps);
    }

    static Path operations(Path journal) {
        return journal.resolveSibling(journal.getFileName() + ".operations");
    }

    static Path applied(Path journal) {
        return journal.resolveSibling(journal.getFileName() + ".applied");
    }

    static void saveTasks(Path journal, Stream<Task> tasks, Durability durability) {
        LineFile.write(operations(journal), tasks.map(Task::toJson), durability);
    }

    static List<Task> loadTasks(Path journal) {
        List<Task> tasks = new ArrayList<>();
        LineFile.read(operations(journal), line -> tasks.add(Task.fromJson(line)));
        return tasks;
    }

    /** The state last: what is left without it means nothing. */
    static void delete(Path journal) {
        LineFile.delete(journal);
        LineFile.delete(operations(journal));
        LineFile.delete(applied(journal));
    }
}
