package dev.carrel.core.session;

import dev.carrel.core.host.HostReadonlyView;
import dev.carrel.core.host.LiveFiles;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.runtime.View;
import dev.carrel.core.runtime.ViewSource;
import dev.carrel.core.store.SessionLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a session shows, by its record as it is when that is asked for. */
record LiveView(HostTools tools, SessionLayout layout, Remembered remembered)
        implements ViewSource {

    /** Read anew: a discard in the meantime may have given the session other layers. */
    @Override
    public View get() {
        SessionRecord current = remembered.record();
        current.requireReady();
        return of(current);
    }

    View of(SessionRecord record) {
        return SessionView.of(record, layout, toolsOf(record));
    }

    @Override
    public View staged(View view) {
        SessionRecord current = remembered.record();
        current.requireReady();
        return stagedOf(current);
    }

    View stagedOf(SessionRecord record) {
        return switch (record.policy().view()) {
            case ViewMode.Overlay() -> of(record);
            case ViewMode.HostReadonly mode ->
                    SessionView.ofHost(
                            record,
                            layout,
                            toolsOf(record),
                            mode,
                            hostView(tools, record, mode)
                                    .hiding(
                                            new HostReadonlyView.Nothing(
                                                    SessionView.nothing(layout, true),
                                                    SessionView.nothing(layout, false)),
                                            SessionView.below(record, layout)));
        };
    }

    /** What {@code sandbox.mask} hides of the directory of the start is hidden as all else. */
    static HostReadonlyView hostView(
            HostTools tools, SessionRecord record, ViewMode.HostReadonly mode) {
        RepoRecord launch = record.repos().getFirst();
        return new HostReadonlyView(
                tools.caller(),
                record.identity(),
                new LiveFiles(),
                mode.hiding(
                        launch.hidden().stream()
                                .map(hidden -> launch.root().resolve(hidden.path()).toString())
                                .toList()),
                launch.root(),
                tools.layout().base());
    }

    private static List<Mount> toolsOf(SessionRecord record) {
        // A tool chain that was uninstalled since the session was made must not keep it from
        // running.
        return record.tools().mounts().stream()
                .filter(mount ->
                        !(mount instanceof Mount.ReadOnly(Path source, _)) || Files.exists(source))
                .toList();
    }
}
