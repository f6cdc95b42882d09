package dev.carrel.core.session;

import dev.carrel.core.overlay.LayerStack;
import dev.carrel.core.snapshot.Base;
import dev.carrel.core.store.SessionLayout;
import java.nio.file.Path;

/**
 * A repository of a session, as its record keeps it.
 *
 * @param name under {@code /workspace}
 * @param root on the host
 * @param kind {@code git} or {@code plain}
 * @param base what the overlay stands on
 * @param generation which of the numbered upper directories is the top one
 */
record RepoRecord(String name, Path root, String kind, Base base, int generation) {

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
        return new RepoRecord(name, root, kind, base, generation + 1);
    }
}
