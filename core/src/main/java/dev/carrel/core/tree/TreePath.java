package dev.carrel.core.tree;

import dev.carrel.core.failure.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A place below the root of a tree: components that are never empty, {@code .} or {@code ..} and
 * hold no slash or NUL; byte for byte, in no encoding. Immutable.
 *
 * <p>Ordered component by component, by unsigned bytes: a directory comes first, then all it holds.
 */
public final class TreePath implements Comparable<TreePath> {

    /** The tree itself: no components. */
    public static final TreePath ROOT = new TreePath(new byte[0]);

    private final byte[] path;

    private TreePath(byte[] path) {
        this.path = path;
    }

    /**
     * The components between slashes, as UTF-8; the empty text is the root.
     *
     * @throws InvalidInputException where a component is not allowed
     */
    public static TreePath of(String utf8) {
        return ofBytes(Names.bytes(utf8));
    }

    /** The components between slashes; no bytes are the root. */
    public static TreePath ofBytes(byte[] slashSeparated) {
        TreePath path = new TreePath(slashSeparated.clone());
        try {
            path.components().forEach(Names::checked);
        } catch (InvalidInputException wrong) {
            throw new InvalidInputException(
                    "'"
                            + Names.display(slashSeparated)
                            + "' is not a path inside a tree: "
                            + wrong.message());
        }
        return path;
    }

    /** The entry of this name in this directory. */
    public TreePath child(byte[] name) {
        Names.checked(name);
        if (isRoot()) {
            return new TreePath(name.clone());
        }
        byte[] longer = Arrays.copyOf(path, path.length + 1 + name.length);
        longer[path.length] = '/';
        System.arraycopy(name, 0, longer, path.length + 1, name.length);
        return new TreePath(longer);
    }

    /** The entry of this name, as UTF-8, in this directory. */
    public TreePath child(String name) {
        return child(Names.bytes(name));
    }

    /** The directory that holds it; empty for the root. */
    public Optional<TreePath> parent() {
        if (isRoot()) {
            return Optional.empty();
        }
        return Optional.of(new TreePath(Arrays.copyOf(path, Math.max(nameStart() - 1, 0))));
    }

    /**
     * The last component.
     *
     * @throws IllegalStateException for the root, which has none
     */
    public byte[] name() {
        if (isRoot()) {
            throw new IllegalStateException("the root of a tree has no name");
        }
        return Arrays.copyOfRange(path, nameStart(), path.length);
    }

    /** All components, from the top. */
    public List<byte[]> components() {
        List<byte[]> components = new ArrayList<>();
        int start = 0;
        for (int i = 0; !isRoot() && i <= path.length; i++) {
            if (i == path.length || path[i] == '/') {
                components.add(Arrays.copyOfRange(path, start, i));
                start = i + 1;
            }
        }
        return components;
    }

    /** The number of components; zero for the root. */
    public int depth() {
        int depth = isRoot() ? 0 : 1;
        for (byte b : path) {
            depth += b == '/' ? 1 : 0;
        }
        return depth;
    }

    /** Whether it is the tree itself. */
    public boolean isRoot() {
        return path.length == 0;
    }

    /** Whether it is {@code prefix} or lies below it. */
    public boolean startsWith(TreePath prefix) {
        int length = prefix.path.length;
        return prefix.isRoot()
                || (path.length >= length
                        && Arrays.equals(path, 0, length, prefix.path, 0, length)
                        && (path.length == length || path[length] == '/'));
    }

    /** The components with slashes between them. */
    public byte[] bytes() {
        return path.clone();
    }

    private int nameStart() {
        int start = path.length;
        while (start > 0 && path[start - 1] != '/') {
            start--;
        }
        return start;
    }

    @Override
    public int compareTo(TreePath other) {
        int common = Arrays.mismatch(path, other.path);
        if (common < 0) {
            return 0;
        }
        if (common == path.length || common == other.path.length) {
            return Integer.compare(path.length, other.path.length);
        }
        return Integer.compare(rank(path[common]), rank(other.path[common]));
    }

    /** The slash before all else, so that the end of a component sorts first. */
    private static int rank(byte b) {
        return b == '/' ? 0 : b & 0xff;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TreePath that && Arrays.equals(path, that.path);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(path);
    }

    /** For people, see {@link Names#display}. */
    @Override
    public String toString() {
        return Names.display(path);
    }
}
