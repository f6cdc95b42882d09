package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.EgressRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Supplier;

/**
 * The rules that hold now, read again only where their file is another one. Asked for every
 * connection. Safe for many threads.
 */
final class FollowedRules implements Supplier<EgressRules> {

    private final LiveRules rules;
    private final EgressRules more;
    private String seen = "";
    private EgressRules last = EgressRules.NONE;

    /**
     * Follows rules.
     *
     * @param more those of one command, besides
     */
    FollowedRules(LiveRules rules, EgressRules more) {
        this.rules = rules;
        this.more = more;
    }

    /**
     * The rules that hold now.
     *
     * @throws HostOperationException if they cannot be read, so that nothing is allowed
     */
    @Override
    public synchronized EgressRules get() {
        String now = version(rules.file());
        if (!now.equals(seen)) {
            last = rules.now().and(more);
            seen = now;
        }
        return last;
    }

    /** Every change makes a new file, since it is written beside and moved into place. */
    private static String version(Path file) {
        try {
            BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
            return is.fileKey() + " " + is.lastModifiedTime() + " " + is.size();
        } catch (NoSuchFileException e) {
            return "none";
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot look at " + file + ": " + e.getMessage(), null, e);
        }
    }
}
