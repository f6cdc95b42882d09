package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.TreePath;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Paths inside a tree as text, where a command line needs them so. */
final class HostNames {

    private HostNames() {}

    static String text(TreePath path) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(path.bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new HostOperationException(
                    "the nested repository '" + path + "' has a name that is not valid UTF-8",
                    "rename it, or leave uncommitted work out: --no-uncommitted",
                    e);
        }
    }
}
