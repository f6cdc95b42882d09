package dev.carrel.core.policy;

import java.util.Locale;

/** Which variables of the caller reach a command. */
public enum EnvironmentMode {
    /** Only a baseline (PATH, HOME, LANG, TERM …) and the variables named by the policy. */
    MINIMAL,
    /** Everything the caller has, but for what would point outside the sandbox. */
    INHERIT_ALL;

    /** The name as options and files write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
