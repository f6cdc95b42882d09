package dev.carrel.core.egress;

import java.io.IOException;

/** Where a reader gets its bytes from, one by one. */
@FunctionalInterface
interface ByteSource {

    /** The next byte, 0 to 255; -1 where no more will come. */
    int next() throws IOException;
}
