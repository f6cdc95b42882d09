package dev.carrel.core.apply;

import java.nio.file.Path;

/**
 * Where an apply keeps its own files, all in the session's directory.
 *
 * @param journal exists only while an apply runs; names that begin with it are used besides
 * @param applied what applies wrote so far
 * @param undo a directory: what the last apply replaced. {@code <undo>.next} is used besides
 * @param ancestors a directory: what the session had when it was applied
 * @param conflicts a directory: the versions of what could not be merged
 */
public record ApplyFiles(Path journal, Path applied, Path undo, Path ancestors, Path conflicts) {

    Path nextUndo() {
        return undo.resolveSibling(undo.getFileName() + ".next");
    }
}
