package dev.carrel.core.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** A 64-bit program that makes one 32-bit call, {@code getpid}, and ends with 0. */
public final class ForeignCall {

    private static final long BASE = 0x400000;
    private static final int HEADERS = 64 + 56;

    /** mov eax,20; int 0x80; xor edi,edi; mov eax,60; syscall. */
    private static final byte[] CODE = HexFormat.of().parseHex("b814000000cd8031ffb83c0000000f05");

    private ForeignCall() {}

    /** A whole static ELF file: one header, one segment, no compiler needed. */
    public static byte[] program() {
        int size = HEADERS + CODE.length;
        ByteBuffer elf = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        elf.putInt(0x464C457F).putInt(0x00010102).putLong(0);
        elf.putShort((short) 2).putShort((short) 62).putInt(1);
        elf.putLong(BASE + HEADERS).putLong(64).putLong(0).putInt(0);
        elf.putShort((short) 64).putShort((short) 56).putShort((short) 1);
        elf.putShort((short) 0).putShort((short) 0).putShort((short) 0);
        elf.putInt(1).putInt(5).putLong(0).putLong(BASE).putLong(BASE);
        elf.putLong(size).putLong(size).putLong(0x1000);
        return elf.put(CODE).array();
    }
}
