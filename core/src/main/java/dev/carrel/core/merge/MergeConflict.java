package dev.carrel.core.merge;

import dev.carrel.core.tree.TreePath;
import java.util.Arrays;
import java.util.List;

/**
 * What could not be merged.
 *
 * @param paths all that are part of it, old and new names of what was renamed included; some may
 *     exist on no side
 */
public record MergeConflict(Kind kind, List<TreePath> paths) {

    public MergeConflict {
        paths = List.copyOf(paths);
    }

    /** The sorts of it that git tells apart. */
    public enum Kind {
        /** Both changed the same lines, or created different files. */
        CONTENTS("CONFLICT (contents)"),
        /** Both changed a file that is no text, or too large to be taken for one. */
        BINARY("CONFLICT (binary)"),
        /** One changed what the other deleted. */
        DELETED("CONFLICT (modify/delete)"),
        /** One renamed what the other deleted. */
        RENAMED_DELETED("CONFLICT (rename/delete)"),
        /** Both renamed it, to different names. */
        RENAMED_TWICE("CONFLICT (rename/rename)"),
        /** One has a file where the other has a directory. */
        DIRECTORY("CONFLICT (file/directory)"),
        /** One has a link where the other has a file. */
        TYPES("CONFLICT (distinct modes)"),
        /** One added a file to a directory that the other renamed. */
        LOCATION("CONFLICT (directory rename suggested)"),
        /** Anything else. */
        OTHER("");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        static Kind of(String type) {
            return Arrays.stream(values())
                    .filter(kind -> kind.type.equals(type))
                    .findFirst()
                    .orElse(OTHER);
        }
    }
}
