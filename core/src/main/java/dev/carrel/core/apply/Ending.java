package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** What follows once the host is as wanted. Each part can be repeated. */
final class Ending {

    private final ApplyFiles files;
    private final Journal journal;
    private final UndoStore store;

    Ending(ApplyFiles files, Journal journal) {
        this.files = files;
        this.journal = journal;
        this.store = new UndoStore(files);
    }

    /** Brings what was replaced from the staging directories into the session's directory. */
    void keep() {
        if (!journal.keeps()) {
            store.keepRest();
            return;
        }
        List<Integer> numbers = store.numbers();
        if (numbers.isEmpty()) {
            return; // nothing, or published: the staging directories may be half removed then
        }
        for (Journal.Place place : journal.repos()) {
            Staging.openIfExists(place)
                    .ifPresent(staging -> {
                        try (staging) {
                            store.keep(numbers, staging.old());
                        }
                    });
        }
    }

    /** Makes the new record and the new list for undoing the valid ones. */
    void publish() {
        store.publish();
        Path next = Journal.applied(files.journal());
        if (Files.exists(next)) {
            try {
                Files.move(next, files.applied(), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new HostOperationException(
                        "cannot write " + files.applied() + ": " + e.getMessage(), null, e);
            }
        }
        new Ancestors(files.ancestors())
                .retain(() -> AppliedRecord.load(files.applied()).digests());
    }
}
