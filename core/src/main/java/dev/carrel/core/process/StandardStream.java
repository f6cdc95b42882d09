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

    private final int descriptor;

    StandardStream(int descriptor) {
        this.descriptor = descriptor;
    }

    int descriptor() {
        return descriptor;
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
