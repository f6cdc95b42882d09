package dev.carrel.core.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A program in machine code that the kernel of this machine executes. Offsets: elf(5), ELF64.
 *
 * @param loader the program that loads it; empty where it needs none
 */
record ElfProgram(Optional<Path> loader) {

    private static final int LOOKED_AT = 4096;
    private static final int MAGIC = 0x7f454c46;
    private static final byte BITS_64 = 2;
    private static final byte LITTLE_ENDIAN = 1;
    private static final int HEADER = 64;
    private static final int LOADER = 3; // PT_INTERP
    private static final Map<String, Integer> MACHINES =
            Map.of("amd64", 62, "aarch64", 183, "riscv64", 243);

    /** Empty for everything else, and for what cannot be read. */
    static Optional<ElfProgram> read(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            return parse(stream.readNBytes(LOOKED_AT), System.getProperty("os.arch", ""));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<ElfProgram> parse(byte[] start, String architecture) {
        if (start.length < HEADER
                || ByteBuffer.wrap(start).getInt() != MAGIC
                || start[4] != BITS_64
                || start[5] != LITTLE_ENDIAN) {
            return Optional.empty();
        }
        ByteBuffer file = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
        if (file.getShort(18) != MACHINES.getOrDefault(architecture, -1)) {
            return Optional.empty();
        }
        try {
            return loader(file);
        } catch (IndexOutOfBoundsException | InvalidPathException wild) {
            return Optional.empty();
        }
    }

    private static Optional<ElfProgram> loader(ByteBuffer file) {
        int first = within(file.getLong(32));
        int size = file.getShort(54);
        for (int i = 0; i < file.getShort(56); i++) {
            int segment = first + i * size;
            if (file.getInt(segment) == LOADER) {
                byte[] name = new byte[within(file.getLong(segment + 32) - 1)];
                file.get(within(file.getLong(segment + 8)), name);
                Path loader = Path.of(new String(name, StandardCharsets.ISO_8859_1));
                return Optional.of(new ElfProgram(Optional.of(loader)));
            }
        }
        return Optional.of(new ElfProgram(Optional.empty()));
    }

    private static int within(long offset) {
        return Objects.checkIndex(Math.toIntExact(Math.clamp(offset, -1, LOOKED_AT)), LOOKED_AT);
    }
}
