package dev.carrel.core.overlay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.tree.TreePath;
import java.util.Locale;

/** Names that are git's own: the real one, and those that other file systems take for it. */
public final class GitNames {

    private static final String GIT = ".git";

    private GitNames() {}

    /** Whether it is git's own directory or file. */
    public static boolean isGit(byte[] name) {
        return name.length == GIT.length() && new String(name, ISO_8859_1).equals(GIT);
    }

    /** Whether any component is. */
    public static boolean isInGit(TreePath path) {
        return path.components().stream().anyMatch(GitNames::isGit);
    }

    /** Whether any component is not, but would be on a file system of another kind. */
    public static boolean hasLookalike(TreePath path) {
        return path.components().stream().anyMatch(GitNames::isLookalike);
    }

    /**
     * Whether a file system that ignores case, trailing dots, or invisible characters, or that
     * knows short names and streams, takes the name for {@code .git}. The rules are those of git's
     * {@code core.protectNTFS} and {@code core.protectHFS}.
     */
    public static boolean isLookalike(byte[] name) {
        if (isGit(name)) {
            return false;
        }
        StringBuilder visible = new StringBuilder();
        new String(name, UTF_8)
                .codePoints()
                .filter(point -> Character.getType(point) != Character.FORMAT)
                .forEach(visible::appendCodePoint);
        String plain = visible.toString().toLowerCase(Locale.ROOT);
        int stream = plain.indexOf(':');
        String file = stream < 0 ? plain : plain.substring(0, stream);
        String trimmed = file.replaceAll("[. ]+$", "");
        return trimmed.equals(GIT) || trimmed.equals("git~1");
    }
}
