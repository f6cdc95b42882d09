package dev.carrel.core.session;

import dev.carrel.core.overlay.LayerStack;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.snapshot.Base;
import dev.carrel.core.store.SessionLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * A repository of a session, as its record keeps it.
 *
 * @param name under {@code /workspace}, and in the session's directory
 * @param root on the host
 * @param base what the overlay stands on
 * @param generation which of the numbered upper directories is the top one
 * @param hidden what of it is not shown
 */
record RepoRecord(
        String name, Path root, RepoKind kind, Base base, int generation, List<HiddenPath> hidden) {

    RepoRecord {
        hidden = List.copyOf(hidden);
    }

    /** Where it appears inside. */
    SandboxPath inside() {
        return kind.place(name, root);
    }

    Path upper(SessionLayout layout) {
        return layout.upper(name, generation);
    }

    Path work(SessionLayout layout) {
        return layout.work(name, generation);
    }

    LayerStack stack(SessionLayout layout) {
        return new LayerStack(upper(layout), base.lowers());
    }

    RepoRecord nextGeneration() {
        return new RepoRecord(name, root, kind, base, generation + 1, hidden);
    }

    RepoRecord hiding(List<HiddenPath> paths) {
        return new RepoRecord(name, root, kind, base, generation, paths);
    }
}
