package dev.carrel.core.apply;

import dev.carrel.core.store.JsonObject;
import java.util.Optional;

/**
 * What an apply left at a place.
 *
 * @param host on the host
 * @param merged what the session had, where the host got a merge of it with changes of its own
 */
record Applied(Fingerprint host, Optional<Fingerprint> merged) {

    static Applied asIs(Fingerprint print) {
        return new Applied(print, Optional.empty());
    }

    /** What the session had when it was applied: from there both sides went on. */
    Fingerprint session() {
        return merged.orElse(host);
    }

    JsonObject.Builder write(JsonObject.Builder to) {
        return to.put("fingerprint", host.text()).put("session", merged.map(Fingerprint::text));
    }

    static Applied fromJson(JsonObject line) {
        return new Applied(
                new Fingerprint(line.string("fingerprint")),
                line.optString("session").map(Fingerprint::new));
    }
}
