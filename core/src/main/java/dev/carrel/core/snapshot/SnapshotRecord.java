package dev.carrel.core.snapshot;

import dev.carrel.core.repo.OriginUser;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code snapshot.json} beside a shared tree: written last, so that a tree without it is
 * half-built. Its own time of modification is when the snapshot was last asked for.
 *
 * <p>Fields: {@code version} 1, {@code gitDir} and {@code hiddenRef} of the origin, {@code commit},
 * {@code modified} (the time of all files, seconds), {@code uid}, {@code gid}, {@code switched} (as
 * whom the origin is written).
 */
record SnapshotRecord(
        Path gitDir, Optional<String> hiddenRef, String commit, long modified, OriginUser user) {

    static final String NAME = "snapshot.json";
    private static final int VERSION = 1;

    static Optional<SnapshotRecord> load(Path snapshot) {
        return Json.readIfExists(snapshot.resolve(NAME)).map(SnapshotRecord::parse);
    }

    private static SnapshotRecord parse(JsonObject json) {
        return new SnapshotRecord(
                Path.of(json.string("gitDir")),
                json.optString("hiddenRef"),
                json.string("commit"),
                json.integer("modified"),
                new OriginUser(
                        json.smallInteger("uid"), json.smallInteger("gid"), json.bool("switched")));
    }

    void store(Path snapshot) {
        Json.write(
                snapshot.resolve(NAME),
                JsonObject.builder()
                        .put("version", VERSION)
                        .put("gitDir", gitDir.toString())
                        .put("hiddenRef", hiddenRef)
                        .put("commit", commit)
                        .put("modified", modified)
                        .put("uid", user.uid())
                        .put("gid", user.gid())
                        .put("switched", user.switched())
                        .build());
    }
}
