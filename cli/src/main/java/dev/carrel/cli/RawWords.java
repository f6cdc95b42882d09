package dev.carrel.cli;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The words of the command line as bytes. The Java machine decodes them, and puts replacement
 * characters where it cannot: a command would get other arguments than it was given.
 */
final class RawWords {

    private static final int REPLACEMENT = 0xfffd;

    private RawWords() {}

    /**
     * Fails where a word is not what the caller wrote.
     *
     * @param process the kernel's list of the words of this process, each ended by a NUL
     */
    static void require(List<String> words, Path process) {
        if (words.stream().noneMatch(word -> word.indexOf(REPLACEMENT) >= 0)) {
            return;
        }
        List<ByteBuffer> raw = read(process);
        int options = raw.size() - words.size();
        for (int i = 0; i < words.size(); i++) {
            if (options < 0 || !isSame(words.get(i), raw.get(options + i))) {
                throw new InvalidInputException(
                        "the argument '"
                                + words.get(i)
                                + "' is not UTF-8, and carrel would change it",
                        "Let a shell inside make it: carrel run -- sh -c 'cat \"$(printf"
                                + " \"caf\\351\")\"'");
            }
        }
    }

    private static boolean isSame(String word, ByteBuffer raw) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(raw).toString().equals(word);
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static List<ByteBuffer> read(Path process) {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(process);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot tell whether the arguments are UTF-8: "
                            + process
                            + ": "
                            + e.getMessage(),
                    null,
                    e);
        }
        List<ByteBuffer> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                words.add(ByteBuffer.wrap(bytes, start, i - start));
                start = i + 1;
            }
        }
        return words;
    }
}
