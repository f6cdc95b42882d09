package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.repo.FileMode;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.FileStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What an apply left at a place, short enough to remember: type, permission bits, SHA-256 of the
 * content.
 */
record Fingerprint(String text) {

    static final Fingerprint ABSENT = new Fingerprint("absent");

    private static final String FILE = "file:";
    private static final String LINK = "link:";
    private static final int BUFFER = 1 << 16;

    static Fingerprint file(int mode, String digest) {
        return new Fingerprint(FILE + octal(mode) + ":" + digest);
    }

    static Fingerprint directory(int mode) {
        return new Fingerprint("directory:" + octal(mode));
    }

    /** Four digits at least. */
    private static String octal(int mode) {
        String digits = Integer.toOctalString(mode);
        return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
    }

    static Fingerprint link(byte[] target) {
        return new Fingerprint(LINK + hex(sha256().digest(target)));
    }

    /** SHA-256 of what a file holds, or of a link's text; empty for anything else. */
    Optional<String> digest() {
        return text.startsWith(FILE) || text.startsWith(LINK)
                ? Optional.of(text.substring(text.lastIndexOf(':') + 1))
                : Optional.empty();
    }

    /** What git calls it; empty for what is no file. */
    Optional<FileMode> gitMode() {
        if (text.startsWith(LINK)) {
            return Optional.of(FileMode.LINK);
        }
        if (!text.startsWith(FILE)) {
            return Optional.empty();
        }
        return Optional.of(FileMode.of(new Entry.RegularFile(mode(), 0).isExecutable()));
    }

    /** Permission bits, of a file only. */
    int mode() {
        return Integer.parseInt(text.substring(FILE.length(), text.lastIndexOf(':')), 8);
    }

    /** Of content in memory. */
    static String digest(byte[] content) {
        return hex(sha256().digest(content));
    }

    /** Of an entry as it is now. */
    static Fingerprint of(Dir holder, byte[] name, FileStatus status) {
        int mode = Entry.permissions(status);
        return switch (status.type()) {
            case REGULAR -> file(mode, digest(holder, name));
            case DIRECTORY -> directory(mode);
            case SYMLINK -> link(holder.readLink(name));
            case FIFO, SOCKET, CHAR_DEVICE, BLOCK_DEVICE -> new Fingerprint("special");
        };
    }

    /** SHA-256 of a regular file, in hexadecimal. */
    static String digest(Dir holder, byte[] name) {
        try (InputStream in = holder.read(name)) {
            return copy(in, OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read a file in " + holder + ": " + e.getMessage(), null, e);
        }
    }

    /** Copies all, and answers SHA-256 of what was copied, in hexadecimal. */
    static String copy(InputStream from, OutputStream to) throws IOException {
        MessageDigest digest = sha256();
        byte[] part;
        do {
            part = from.readNBytes(BUFFER);
            digest.update(part);
            to.write(part);
        } while (part.length == BUFFER);
        return hex(digest.digest());
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
