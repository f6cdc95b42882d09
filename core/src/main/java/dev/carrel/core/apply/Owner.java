package dev.carrel.core.apply;

import dev.carrel.core.store.JsonObject;
import dev.carrel.core.tree.FileStatus;
import java.util.Optional;

/** To whom a written entry belongs, where Carrel runs as root and has to say so. */
record Owner(int uid, int gid) {
    static Owner of(FileStatus status) {
        return new Owner(status.uid(), status.gid());
    }

    static Optional<Owner> fromJson(JsonObject json) {
        return json.has("uid")
                ? Optional.of(new Owner(json.smallInteger("uid"), json.smallInteger("gid")))
                : Optional.empty();
    }
}
