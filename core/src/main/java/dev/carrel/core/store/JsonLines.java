package dev.carrel.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.BrokenStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Logs: one JSON object a line, only ever appended to, by several processes at once. */
public final class JsonLines {

    private static final Set<OpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);

    private JsonLines() {}

    /** Appends one line; not synced. Ends a line first that a kill or a full disk cut off. */
    public static void append(Path file, JsonObject value) {
        String line = value.toCompact() + "\n";
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (FileChannel channel = FileChannel.open(file, APPEND, ownerOnly)) {
            String whole = endsWithLine(file) ? line : "\n" + line;
            // In one write: the kernel orders appends of local files, so lines do not mix.
            ByteBuffer rest = ByteBuffer.wrap(whole.getBytes(UTF_8));
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        } catch (IOException failed) {
            throw StoreFailure.of("append to", file, failed);
        }
    }

    private static boolean endsWithLine(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.size() == 0
                    || channel.read(last, channel.size() - 1) < 1
                    || last.get(0) == '\n';
        }
    }

    /**
     * All whole records; none where the file is missing. What a kill or a full disk cut off is left
     * out: a log is a record of the past, and one lost line must not hide the others.
     */
    public static List<JsonObject> read(Path file) {
        String text;
        try {
            text = new String(Files.readAllBytes(file), UTF_8);
        } catch (NoSuchFileException missing) {
            return List.of();
        } catch (IOException failed) {
            throw StoreFailure.of("read", file, failed);
        }
        List<JsonObject> records = new ArrayList<>();
        text.lines().forEach(line -> addWhole(line, file, records));
        return List.copyOf(records);
    }

    private static void addWhole(String line, Path file, List<JsonObject> records) {
        JsonPlace place = new JsonPlace(JsonPlace.Origin.STORE, file.toString(), "");
        try {
            if (JsonReader.read(line.getBytes(UTF_8), place) instanceof JsonObject whole) {
                records.add(whole);
            }
        } catch (BrokenStoreException cutOff) {
            // Left out, see above.
        }
    }
}
