package dev.carrel.core.session;

import dev.carrel.core.overlay.IgnoreFilter;

/** Which ignore rules a repository of a session has. */
final class IgnoreRules {

    private IgnoreRules() {}

    static IgnoreFilter of(HostTools tools, RepoRecord repo) {
        return IgnoreFilter.nothing();
    }
}
