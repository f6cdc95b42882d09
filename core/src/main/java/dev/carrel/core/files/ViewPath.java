package dev.carrel.core.files;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * An absolute path as a session's commands see it, such as {@code /workspace/app/pom.xml}: byte for
 * byte, normalized, in no encoding.
 *
 * @param fromRoot the same without the slash at its beginning
 */
public record ViewPath(TreePath fromRoot) implements Comparable<ViewPath> {

    /**
     * Parses an absolute path as UTF-8. {@code .} and empty components are dropped.
     *
     * @throws InvalidInputException if it is not absolute, or has {@code ..} or a NUL byte
     */
    public static ViewPath of(String path) {
        if (!path.startsWith("/")) {
            throw new InvalidInputException("'" + path + "' is not an absolute path");
        }
        TreePath place = TreePath.ROOT;
        for (String component : path.split("/", -1)) {
            if (!component.isEmpty() && !component.equals(".")) {
                place = place.child(component);
            }
        }
        return new ViewPath(place);
    }

    /** The entry of this name in this directory. */
    public ViewPath child(byte[] name) {
        return new ViewPath(fromRoot.child(name));
    }

    /** The entry of this name, as UTF-8, in this directory. */
    public ViewPath child(String name) {
        return new ViewPath(fromRoot.child(name));
    }

    /** What lies below this directory at a relative path. */
    public ViewPath resolve(TreePath relative) {
        TreePath place = fromRoot;
        for (byte[] name : relative.components()) {
            place = place.child(name);
        }
        return new ViewPath(place);
    }

    /** The directory that holds it; empty for the root. */
    public Optional<ViewPath> parent() {
        return fromRoot.parent().map(ViewPath::new);
    }

    /** Whether it is {@code other} or lies below it. */
    public boolean startsWith(ViewPath other) {
        return fromRoot.startsWith(other.fromRoot);
    }

    /** The path with its slash at the beginning. */
    public byte[] bytes() {
        byte[] relative = fromRoot.bytes();
        byte[] absolute = new byte[relative.length + 1];
        absolute[0] = '/';
        System.arraycopy(relative, 0, absolute, 1, relative.length);
        return absolute;
    }

    @Override
    public int compareTo(ViewPath other) {
        return fromRoot.compareTo(other.fromRoot);
    }

    /** For people, see {@link dev.carrel.core.tree.Names#display}. */
    @Override
    public String toString() {
        return "/" + fromRoot;
    }
}
