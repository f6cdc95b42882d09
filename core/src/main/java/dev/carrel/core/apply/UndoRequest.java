package dev.carrel.core.apply;

import java.nio.file.Path;
import java.util.Map;

/**
 * What to take back.
 *
 * @param roots the tops of the checkouts, by the repositories' names
 * @param partial whether what is still as applied is taken back although something else is not
 * @param files where applies keep their own files
 */
public record UndoRequest(Map<String, Path> roots, boolean partial, ApplyFiles files) {

    public UndoRequest {
        roots = Map.copyOf(roots);
    }
}
