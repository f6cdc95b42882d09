package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.file.Path;

/**
 * An absolute, normalized path inside the sandbox. A type of its own, so that the compiler finds a
 * swapped source and target.
 */
public record SandboxPath(Path path) {

    /** Where the repositories of a session appear. */
    public static final SandboxPath WORKSPACE = of("/workspace");

    /** The home directory of every sandboxed process. */
    public static final SandboxPath HOME = of("/home/agent");

    /** Carrel's own folder inside; commands see an empty one. */
    public static final SandboxPath CARREL = of("/run/carrel");

    public SandboxPath {
        if (!path.isAbsolute()
                || !path.normalize().equals(path)
                || path.toString().indexOf('\0') >= 0) {
            throw new InvalidInputException(
                    "'" + path + "' is not an absolute, normalized path inside the sandbox");
        }
    }

    /** Parses an absolute path; {@code .} and {@code ..} are refused. */
    public static SandboxPath of(String path) {
        return new SandboxPath(Path.of(path));
    }

    /** A path below this one; {@code relative} may be empty. */
    public SandboxPath resolve(String relative) {
        return new SandboxPath(path.resolve(relative).normalize());
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
