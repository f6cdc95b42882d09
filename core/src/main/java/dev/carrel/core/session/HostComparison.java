package dev.carrel.core.session;

import dev.carrel.core.apply.HostRecord;
import dev.carrel.core.apply.ModeMatch;
import dev.carrel.core.snapshot.BaseMethod;
import java.util.Optional;

/** How a host checkout is compared with the base that was made of it. */
final class HostComparison {

    private HostComparison() {}

    static ModeMatch modes(RepoRecord repo) {
        return repo.base().method() == BaseMethod.CHECKOUT ? ModeMatch.EXECUTABLE : ModeMatch.EXACT;
    }

    static Optional<HostRecord> record(RepoRecord repo) {
        return repo.base()
                .manifest()
                .map(file -> {
                    throw new UnsupportedOperationException(file.toString());
                });
    }
}
