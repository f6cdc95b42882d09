package dev.carrel.core.config;

import dev.carrel.core.config.Document.Format;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.failure.NotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file of settings and why it counts.
 *
 * @param path absolute
 * @param role whose it is
 */
record ConfigFile(Path path, Role role) {

    /** Larger ones are refused before they are read. */
    static final int MOST_BYTES = 1 << 20;

    static final String CARREL = "carrel.yaml";
    static final String CODUMENTOR = "codumentor.yaml";

    private static final Path NOTHING = Path.of("/dev/null");
    private static final int OTHERS_WRITE = 022;
    private static final int ROOT = 0;

    /** Whose a file is. */
    enum Role {
        /** The user named it, and vouches for it. */
        NAMED,
        /** It was found where only the user should be able to put one. */
        USER,
        /** It is part of a repository: nobody has vetted it. */
        REPOSITORY
    }

    Format format() {
        String name = String.valueOf(path.getFileName());
        return name.contains("codumentor") ? Format.CODUMENTOR : Format.CARREL;
    }

    /**
     * Its content.
     *
     * @throws InvalidInputException where it is no file, is too large, or could be somebody else's
     */
    byte[] read(int caller) {
        try {
            if (path.equals(NOTHING)) {
                return new byte[0];
            }
            requireTrust(caller);
            requireFile();
            try (InputStream stream = Files.newInputStream(path, options())) {
                byte[] content = stream.readNBytes(MOST_BYTES + 1);
                if (content.length > MOST_BYTES) {
                    throw new InvalidInputException(
                            path + ": it is larger than " + MOST_BYTES + " bytes");
                }
                return content;
            }
        } catch (NoSuchFileException missing) {
            throw new NotFoundException("there is no configuration file " + path);
        } catch (IOException failed) {
            throw new HostOperationException(
                    "cannot read the configuration file " + path + ": " + failed.getMessage(),
                    "make it readable, or name another: --config FILE",
                    failed);
        }
    }

    private LinkOption[] options() {
        return role == Role.REPOSITORY
                ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS}
                : new LinkOption[0];
    }

    /** A pipe would be waited for, and a link of a repository could lead anywhere. */
    private void requireFile() throws IOException {
        if (!Files.readAttributes(path, BasicFileAttributes.class, options()).isRegularFile()) {
            throw new InvalidInputException(
                    path + ": it is not a regular file", "replace it, or remove it");
        }
    }

    /** Whoever can write the file, or exchange the link to it, decides what is allowed. */
    private void requireTrust(int caller) throws IOException {
        if (role != Role.USER) {
            return;
        }
        for (LinkOption[] how :
                new LinkOption[][] {{LinkOption.NOFOLLOW_LINKS}, new LinkOption[0]}) {
            int owner = (int) Files.getAttribute(path, "unix:uid", how);
            if (owner != caller && owner != ROOT) {
                throw new InvalidInputException(
                        path + " belongs to user " + owner + ", not to you (" + caller + ")",
                        "if you trust it, name it: --config " + path + "; else name another");
            }
        }
        int mode = (int) Files.getAttribute(path, "unix:mode");
        if ((mode & OTHERS_WRITE) != 0) {
            throw new InvalidInputException(
                    "others may write " + path + ", which decides what is allowed",
                    "chmod go-w " + path);
        }
    }
}
