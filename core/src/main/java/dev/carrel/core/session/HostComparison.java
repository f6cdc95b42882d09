package dev.carrel.core.session;

import dev.carrel.core.apply.HostRecord;
import dev.carrel.core.apply.ModeMatch;
import dev.carrel.core.snapshot.BaseMethod;
import dev.carrel.core.snapshot.Manifest;
import java.util.Optional;

/** How a host checkout is compared with the base that was made of it. */
final class HostComparison {

    private HostComparison() {}

    static ModeMatch modes(RepoRecord repo) {
        return repo.base().method() == BaseMethod.CHECKOUT ? ModeMatch.EXECUTABLE : ModeMatch.EXACT;
    }

    /** Only a base of hard links needs one: it changes with the host's file. */
    static Optional<HostRecord> record(RepoRecord repo) {
        return repo.base()
                .manifest()
                .map(Manifest::load)
                .map(manifest ->
                        (path, now) ->
                                manifest.entry(path)
                                        .filter(entry -> entry.matches(now))
                                        .isPresent());
    }
}
