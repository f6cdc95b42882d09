package dev.carrel.core.bwrap;

import dev.carrel.core.policy.Identity;
import java.util.List;

/** Becoming the sandbox user before anything of a sandbox starts. */
public final class Switching {

    private Switching() {}

    /**
     * The words in front of a program that make it run as {@code identity}; none where the caller
     * already is.
     */
    public static List<String> to(Identity identity) {
        if (!identity.switched()) {
            return List.of();
        }
        return List.of(
                "setpriv",
                "--reuid=" + identity.uid(),
                "--regid=" + identity.gid(),
                "--clear-groups");
    }
}
