package dev.carrel.core.runtime;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What bubblewrap writes about a command: a line with the child's process number before the child
 * may go on, and a line with the exit status only if the command was really started.
 */
final class CommandStatus {

    private final Path file;
    private volatile OptionalLong known = OptionalLong.empty();

    CommandStatus(Path file) {
        this.file = file;
    }

    /** What was told so far. */
    record Told(OptionalLong childPid, OptionalInt exit) {}

    Told read() {
        OptionalLong childPid = OptionalLong.empty();
        OptionalInt exit = OptionalInt.empty();
        for (JsonObject line : lines()) {
            if (line.has("child-pid")) {
                childPid = OptionalLong.of(line.integer("child-pid"));
            }
            if (line.has("exit-code")) {
                exit = OptionalInt.of(line.smallInteger("exit-code"));
            }
        }
        return new Told(childPid, exit);
    }

    /** Told once; needs no descriptor any more then. */
    OptionalLong childPid() {
        OptionalLong told = known;
        if (told.isEmpty()) {
            told = read().childPid();
            known = told;
        }
        return told;
    }

    /** Complete lines only: the last one may still be written. */
    private List<JsonObject> lines() {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            int end = text.lastIndexOf('\n');
            return end < 0 ? List.of() : text.substring(0, end).lines().map(this::line).toList();
        } catch (NoSuchFileException notYet) {
            return List.of();
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read " + file + ": " + e.getMessage(), null, e);
        }
    }

    private JsonObject line(String text) {
        return Json.parse(text, file.toString()) instanceof JsonObject object
                ? object
                : JsonObject.builder().build();
    }
}
