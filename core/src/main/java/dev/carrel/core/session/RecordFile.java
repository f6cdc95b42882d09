package dev.carrel.core.session;

import dev.carrel.core.store.Json;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The record of one session. The file is read each time, since other processes write it; only a
 * text that differs from the last one is parsed and checked as a whole. Safe for many threads.
 */
final class RecordFile {

    private final Path file;
    private volatile @Nullable Known latest;

    RecordFile(Path file) {
        this.file = file;
    }

    private static final class Known {
        final byte[] text;
        final SessionRecord record;

        Known(byte[] text, SessionRecord record) {
            this.text = text;
            this.record = record;
        }
    }

    /**
     * The record as it is now.
     *
     * @throws dev.carrel.core.failure.CarrelException as {@link SessionFormat#read}
     */
    SessionRecord read() {
        byte[] text = Json.content(file);
        Known known = latest;
        if (known != null && Arrays.equals(known.text, text)) {
            RecordCheck.checkPlaces(known.record, file);
            return known.record;
        }
        SessionRecord record = SessionFormat.parse(text, file);
        latest = new Known(text, record);
        return record;
    }
}
