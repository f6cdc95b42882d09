package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ElfProgramTest {

    private static final int X86_64 = 62;

    /** A header, one segment that names the loader, and its name. */
    private static byte[] program(int type, String loader) {
        byte[] name = (loader + "\0").getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer file = ByteBuffer.allocate(300).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1});
        file.putShort(18, (short) X86_64).putLong(32, 64);
        file.putShort(54, (short) 56).putShort(56, (short) 1);
        file.putInt(64, type).putLong(64 + 8, 200).putLong(64 + 32, name.length);
        file.put(200, name);
        return file.array();
    }

    @Test
    void namesItsLoaderOrHasNone() {
        assertThat(ElfProgram.parse(program(3, "/lib64/ld.so"), "amd64"))
                .contains(new ElfProgram(Optional.of(Path.of("/lib64/ld.so"))));
        assertThat(ElfProgram.parse(program(1, ""), "amd64"))
                .contains(new ElfProgram(Optional.empty()));
    }

    @Test
    void scriptsOtherMachinesAndTornFilesAreNone() {
        byte[] good = program(3, "/lib64/ld.so");
        assertThat(ElfProgram.parse(good, "aarch64")).isEmpty();
        assertThat(ElfProgram.parse(good, "sparc")).isEmpty();
        assertThat(ElfProgram.parse(Arrays.copyOf(good, 80), "amd64")).isEmpty();
        assertThat(ElfProgram.parse(Arrays.copyOf(good, 10), "amd64")).isEmpty();
        byte[] script = "#!/bin/sh\n".repeat(20).getBytes(StandardCharsets.US_ASCII);
        assertThat(ElfProgram.parse(script, "amd64")).isEmpty();
        byte[] wild = good.clone();
        Arrays.fill(wild, 64 + 8, 64 + 40, (byte) 0xff);
        assertThat(ElfProgram.parse(wild, "amd64")).isEmpty();
    }

    @Test
    void theRunningJavaIsOne() {
        assertThat(ElfProgram.read(Path.of(System.getProperty("java.home"), "bin/java")))
                .isPresent();
        assertThat(ElfProgram.read(Path.of("/proc/self/status"))).isEmpty();
        assertThat(ElfProgram.read(Path.of("/"))).isEmpty();
    }
}
