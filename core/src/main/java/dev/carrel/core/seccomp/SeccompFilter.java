package dev.carrel.core.seccomp;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.SeccompMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * A system call filter as the kernel takes it. Immutable, safe for any thread, the same bytes for
 * the same mode and architecture every time.
 *
 * <p>Whoever loads it must treat a filter that cannot be loaded as a failure of the whole start.
 */
public final class SeccompFilter {

    private final List<Instruction> listing;

    private SeccompFilter(List<Instruction> listing) {
        this.listing = listing;
    }

    /**
     * The filter of a mode; empty only for {@link SeccompMode#OFF}.
     *
     * @throws UnsupportedHostException when there is no table for the architecture: never is that
     *     answered by no filter
     */
    public static Optional<SeccompFilter> forMode(SeccompMode mode, Architecture architecture) {
        return forMode(mode, architecture, UnixSockets.ALLOWED);
    }

    /** The same, with or without sockets of AF_UNIX. */
    public static Optional<SeccompFilter> forMode(
            SeccompMode mode, Architecture architecture, UnixSockets sockets) {
        if (mode == SeccompMode.OFF) {
            return Optional.empty();
        }
        CallTable table =
                CallTable.of(architecture)
                        .orElseThrow(() ->
                                new UnsupportedHostException(
                                        "no system call filter for processors of type '%s': seccomp mode '%s' knows x86-64 and aarch64 only"
                                                .formatted(architecture.name(), mode),
                                        "run on x86-64 or aarch64, or go without this protection by seccomp mode 'off'"));
        return Optional.of(
                new SeccompFilter(
                        new FilterProgram(mode, table, Rules.with(sockets)).instructions()));
    }

    /** An array of the kernel's {@code struct sock_filter}: 8 bytes for each instruction. */
    public byte[] program() {
        ByteBuffer bytes =
                ByteBuffer.allocate(listing.size() * Instruction.SIZE)
                        .order(ByteOrder.LITTLE_ENDIAN);
        listing.forEach(instruction -> instruction.writeTo(bytes));
        return bytes.array();
    }

    /** How many instructions the program has; the kernel takes up to 4096. */
    public int instructions() {
        return listing.size();
    }

    /** The program for a reader, one instruction a line. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        for (int line = 0; line < listing.size(); line++) {
            text.append("%03d %s%n".formatted(line, listing.get(line)));
        }
        return text.toString();
    }
}
