package dev.carrel.core.session;

/**
 * A file or directory of a repository that its session does not show.
 *
 * @param entry the setting that named it
 * @param path where it really is, relative to the root of the repository
 * @param directory whether it is a directory
 */
record HiddenPath(String entry, String path, boolean directory) {

    /** Whether this one hides the other, too. */
    boolean covers(HiddenPath other) {
        return other.path.equals(path) || (directory && other.path.startsWith(path + "/"));
    }
}
