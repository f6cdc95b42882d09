package dev.carrel.core.apply;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * The operations on one repository.
 *
 * @param contents opened when the first content is needed, and closed with the last
 */
record Batch(
        String repoName, Path hostRoot, List<Planned> operations, Supplier<Contents> contents) {

    Batch {
        operations = List.copyOf(operations);
    }
}
