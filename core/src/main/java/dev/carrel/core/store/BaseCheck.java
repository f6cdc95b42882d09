package dev.carrel.core.store;

import dev.carrel.core.failure.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a directory may hold the state: whoever else can write it could exchange a session's
 * files for links, or its record for another.
 */
final class BaseCheck {

    private static final int OTHERS_WRITE = 022;
    private static final int OTHERS_PASS = 0001;
    private static final int MODE_BITS = 07777;
    private static final int ROOT = 0;

    private final Path base;
    private final int caller;
    private final List<String> problems = new ArrayList<>();
    private @Nullable String remedy;

    private BaseCheck(Path base, int caller) {
        this.base = base;
        this.caller = caller;
    }

    /** Fails with all that is wrong. The base exists. */
    static void require(Path base, int caller) {
        BaseCheck check = new BaseCheck(base, caller);
        try {
            check.link();
            Path real = base.toRealPath();
            check.owner(real);
            check.mode(real);
            check.passage(real);
        } catch (IOException failed) {
            throw StoreFailure.of("look at", base, failed);
        }
        if (!check.problems.isEmpty()) {
            throw new InvalidInputException(check.problems, check.remedy);
        }
    }

    private void link() throws IOException {
        int owner = uid(base);
        if (Files.isSymbolicLink(base) && owner != caller && owner != ROOT) {
            problem(
                    "the link "
                            + base
                            + " belongs to user "
                            + owner
                            + ", not to you ("
                            + caller
                            + ")",
                    "name a directory of your own");
        }
    }

    private void owner(Path real) throws IOException {
        int owner = uid(real);
        if (owner != caller) {
            problem(
                    "the state directory "
                            + real
                            + " belongs to user "
                            + owner
                            + ", not to you ("
                            + caller
                            + ")",
                    "name a directory of your own, or work as its owner");
        }
    }

    private void mode(Path real) throws IOException {
        int mode = mode(real, LinkOption.NOFOLLOW_LINKS);
        if ((mode & OTHERS_WRITE) != 0) {
            problem(
                    "others may write the state directory "
                            + real
                            + " (mode "
                            + Integer.toOctalString(mode)
                            + ")",
                    "chmod go-w " + real);
        }
    }

    /** Root's sandboxes run as another user, who has to get to a session's directories. */
    private void passage(Path real) throws IOException {
        if (caller != ROOT) {
            return;
        }
        for (Path at = real; at != null; at = at.getParent()) {
            if ((mode(at, LinkOption.NOFOLLOW_LINKS) & OTHERS_PASS) == 0) {
                problem(
                        "sandboxes of root run as another user, who cannot pass "
                                + at
                                + " to the state directory "
                                + real,
                        "name a state directory outside of it, as /var/lib/carrel, or: chmod o+x "
                                + at);
            }
        }
    }

    private void problem(String text, String cure) {
        problems.add(text);
        remedy = remedy == null ? cure : remedy + "; " + cure;
    }

    private static int uid(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static int mode(Path path, LinkOption option) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode", option) & MODE_BITS;
    }
}
