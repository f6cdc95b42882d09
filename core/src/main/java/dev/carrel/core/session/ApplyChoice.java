package dev.carrel.core.session;

import java.util.List;

/**
 * Which changes of a session are taken.
 *
 * @param paths what to take; none means everything
 * @param includeIgnored whether files that git ignores come along
 * @param partial whether what is not in conflict is taken although something else is
 */
public record ApplyChoice(List<String> paths, boolean includeIgnored, boolean partial) {

    /** Everything but what git ignores; nothing at all where there is a conflict. */
    public static final ApplyChoice EVERYTHING = new ApplyChoice(List.of(), false, false);

    public ApplyChoice {
        paths = List.copyOf(paths);
    }
}
