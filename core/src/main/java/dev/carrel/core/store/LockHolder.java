package dev.carrel.core.store;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.posix.ProcessIdentity;
import java.util.Optional;

/**
 * Who holds a lock, as the holder wrote it into the lock file. For messages only: the lock itself
 * is the kernel's, and goes with its process.
 */
@SuppressWarnings("exports") // a process is a value that callers hand around, not call
public record LockHolder(ProcessIdentity process, String purpose) {

    String toJson() {
        return JsonObject.builder()
                .put("pid", process.pid())
                .put("startTime", process.startTime())
                .put("purpose", purpose)
                .build()
                .toCompact();
    }

    /** Empty where the text is being written just now, or none is there. */
    static Optional<LockHolder> parse(String text) {
        try {
            if (Json.parse(text, "lock file") instanceof JsonObject holder) {
                ProcessIdentity process =
                        new ProcessIdentity(holder.integer("pid"), holder.integer("startTime"));
                return Optional.of(new LockHolder(process, holder.string("purpose")));
            }
            return Optional.empty();
        } catch (CarrelException incomplete) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "process " + process.pid() + " (" + purpose + ")";
    }
}
