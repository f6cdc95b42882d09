package dev.carrel.core.files;

import java.util.List;

/**
 * Files that were found.
 *
 * @param paths in order
 * @param complete false if a directory could not be read
 */
public record FileList(List<ViewPath> paths, boolean complete) {

    public FileList {
        paths = List.copyOf(paths);
    }
}
