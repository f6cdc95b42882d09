package dev.carrel.core.apply;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.tree.TreePath;

/** Byte strings in JSON, one character a byte: exact for any name, readable for plain ones. */
final class ByteText {

    private ByteText() {}

    static String of(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    static String of(TreePath path) {
        return of(path.bytes());
    }

    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    static TreePath path(String text) {
        return TreePath.ofBytes(bytes(text));
    }
}
