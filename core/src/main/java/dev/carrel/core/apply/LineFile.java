package dev.carrel.core.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import dev.carrel.core.tree.Durability;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A file with one JSON object a line, written as a whole: as large as a change set may be, without
 * being in memory twice.
 */
final class LineFile {

    private LineFile() {}

    /** Writes beside the file, brings it to disk where that is asked, and moves it into place. */
    static void write(Path file, Stream<JsonObject> lines, Durability durability) {
        Path beside = beside(file);
        try {
            try (FileChannel channel =
                            FileChannel.open(
                                    beside,
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.TRUNCATE_EXISTING,
                                    StandardOpenOption.WRITE);
                    BufferedWriter out =
                            new BufferedWriter(Channels.newWriter(channel, UTF_8), 1 << 16)) {
                for (JsonObject line : (Iterable<JsonObject>) lines::iterator) {
                    out.write(line.toCompact());
                    out.newLine();
                }
                out.flush();
                switch (durability) {
                    case SYNCED -> channel.force(true);
                    case EVENTUAL -> {}
                }
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot write " + file + ": " + e.getMessage(), null, e);
        }
    }

    /** Reads all lines; none where the file is missing. */
    static void read(Path file, Consumer<JsonObject> line) {
        if (!Files.exists(file)) {
            return;
        }
        try (BufferedReader in = Files.newBufferedReader(file, UTF_8)) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                if (Json.parse(text, file.toString()) instanceof JsonObject object) {
                    line.accept(object);
                }
            }
        } catch (InvalidInputException wrong) {
            throw new BrokenStoreException(
                    file + " is damaged: " + wrong.message(),
                    "look at the repository, then remove that file",
                    wrong);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read " + file + ": " + e.getMessage(), null, e);
        }
    }

    /** Whether a file that is there has no line. */
    static boolean isEmpty(Path file) {
        try {
            return Files.size(file) == 0;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read " + file + ": " + e.getMessage(), null, e);
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(beside(file));
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot remove " + file + ": " + e.getMessage(), null, e);
        }
    }

    private static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".writing");
    }
}
