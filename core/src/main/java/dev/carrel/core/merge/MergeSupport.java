package dev.carrel.core.merge;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.repo.ScratchGit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the host's git merges trees without a work tree, which it does since 2.38. */
final class MergeSupport {

    private static final Pattern VERSION = Pattern.compile("git version (\\d+)\\.(\\d+)");
    private static final int MAJOR = 2;
    private static final int MINOR = 38;

    private MergeSupport() {}

    static void require(ScratchGit git) throws InterruptedException {
        requireIn(git.require(git.command(List.of("version"))).outputText().strip());
    }

    /** The text is what {@code git version} prints. */
    static void requireIn(String text) {
        Matcher version = VERSION.matcher(text);
        boolean merges =
                version.lookingAt()
                        && (Integer.parseInt(version.group(1)) > MAJOR
                                || (Integer.parseInt(version.group(1)) == MAJOR
                                        && Integer.parseInt(version.group(2)) >= MINOR));
        if (!merges) {
            throw new UnsupportedHostException(
                    "merging needs git 2.38 or newer, this is " + text, "install a newer git");
        }
    }
}
