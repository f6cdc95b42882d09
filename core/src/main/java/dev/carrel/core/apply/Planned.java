package dev.carrel.core.apply;

import dev.carrel.core.tree.FileStatus;
import java.util.Optional;

/**
 * An operation with what its execution has to know.
 *
 * @param present what is there now and is moved away or changed
 * @param owner of what is created
 */
record Planned(
        Operation operation,
        Optional<FileStatus> present,
        Optional<Owner> owner,
        Material material,
        Memory memory) {}
