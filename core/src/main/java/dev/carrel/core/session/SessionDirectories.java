package dev.carrel.core.session;

import dev.carrel.core.store.StoreFailure;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists directories below the folder of sessions. */
final class SessionDirectories {

    private SessionDirectories() {}

    /** Everything in it, in name order; nothing where it does not exist. */
    static List<Path> in(Path sessions) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(sessions)) {
            stream.forEach(entries::add);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw StoreFailure.of("list", sessions, e);
        } catch (DirectoryIteratorException e) {
            throw StoreFailure.of("list", sessions, new IOException(e.getMessage(), e));
        }
        entries.sort(null);
        return entries;
    }
}
