package dev.carrel.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** JSON documents: files of Carrel's own, and input of callers. */
public final class Json {

    private Json() {}

    /**
     * Reads a file of Carrel's own that holds one object.
     *
     * @throws NotFoundException where it is missing
     * @throws dev.carrel.core.failure.BrokenStoreException where it is not one valid object
     */
    public static JsonObject read(Path file) {
        return own(content(file), file);
    }

    /**
     * The text of a file of Carrel's own, for {@link #own}.
     *
     * @throws NotFoundException where it is missing
     */
    public static byte[] content(Path file) {
        return contentIfExists(file)
                .orElseThrow(() -> new NotFoundException("there is no file " + file));
    }

    /**
     * The object in the text of a file of Carrel's own.
     *
     * @throws dev.carrel.core.failure.BrokenStoreException where it is not one valid object
     */
    public static JsonObject own(byte[] content, Path file) {
        JsonPlace place = new JsonPlace(JsonPlace.Origin.STORE, file.toString(), "");
        JsonValue value = JsonReader.read(content, place);
        return JsonCast.to(JsonObject.class, value, place);
    }

    /** The same; empty where it is missing. */
    public static Optional<JsonObject> readIfExists(Path file) {
        return contentIfExists(file).map(content -> own(content, file));
    }

    private static Optional<byte[]> contentIfExists(Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } catch (IOException failed) {
            throw StoreFailure.of("read", file, failed);
        }
    }

    /**
     * Reads what a caller wrote.
     *
     * @param document how messages name it
     * @throws dev.carrel.core.failure.InvalidInputException where it is not valid JSON
     */
    public static JsonValue parse(String text, String document) {
        JsonPlace place = new JsonPlace(JsonPlace.Origin.INPUT, document, "");
        return JsonReader.read(text.getBytes(UTF_8), place);
    }

    /** Writes a file of Carrel's own, see {@link AtomicFile#write}; for people to read, too. */
    public static void write(Path file, JsonObject value) {
        AtomicFile.write(file, (value.toPretty() + "\n").getBytes(UTF_8));
    }
}
