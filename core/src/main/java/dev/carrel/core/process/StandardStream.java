package dev.carrel.core.process;

import dev.carrel.core.posix.Terminals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One of the three streams that this process was started with. */
public enum StandardStream {
    /** Descriptor 0. */
    INPUT(0),
    /** Descriptor 1. */
    OUTPUT(1),
    /** Descriptor 2. */
    ERROR(2);

    // stat(2)
    private static final int TYPE = 0170000;
    private static final int CHARACTER_DEVICE = 0020000;
    private static final int DIRECTORY = 0040000;

    private final int descriptor;

    StandardStream(int descriptor) {
        this.descriptor = descriptor;
    }

    int descriptor() {
        return descriptor;
    }

    /**
     * What it is, as far as it matters to whoever gets it from this process: a process that has a
     * file open can open it once more for writing, change its mode, and cut it off, by its entry in
     * {@code /proc/self/fd}, whatever it was opened for and wherever it is.
     */
    public enum Kind {
        /** A pipe, a socket, a device, or nothing. */
        HARMLESS,
        /** A file of the host, or a pipe with a name there. */
        FILE,
        /** Everything around it could be reached. */
        DIRECTORY
    }

    /** What it is now. */
    public Kind kind() {
        Path link = Path.of("/proc/self/fd/" + descriptor());
        try {
            if (!Files.readSymbolicLink(link).toString().startsWith("/")) {
                return Kind.HARMLESS; // pipe:[1], socket:[2]
            }
            int type = (int) Files.getAttribute(link, "unix:mode") & TYPE;
            return switch (type) {
                case CHARACTER_DEVICE -> Kind.HARMLESS;
                case DIRECTORY -> Kind.DIRECTORY;
                default -> Kind.FILE;
            };
        } catch (IOException e) {
            return Kind.HARMLESS; // closed
        }
    }

    /** Whether both are the same file. */
    public boolean isSameFileAs(StandardStream other) {
        try {
            return Files.isSameFile(
                    Path.of("/proc/self/fd/" + descriptor()),
                    Path.of("/proc/self/fd/" + other.descriptor()));
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a terminal is connected to it. */
    public boolean isTerminal() {
        return looksLikeDevice() && Terminals.modes(descriptor()).isPresent();
    }

    /** A look that costs nothing spares scripts the first native call, which costs milliseconds. */
    private boolean looksLikeDevice() {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor())).toString();
            return target.startsWith("/") && !target.equals("/dev/null");
        } catch (IOException e) {
            return false; // closed
        }
    }
}
