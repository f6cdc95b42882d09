package dev.carrel.core.runtime;

import java.util.function.Supplier;

/** Where the view of a session comes from. Asked anew whenever a command starts. */
@FunctionalInterface
public interface ViewSource extends Supplier<View> {

    /**
     * What is staged for a view that nothing runs under yet. Not compared with what runs: what
     * comes and goes on the host does not make a running session another one.
     */
    default View staged(View view) {
        return view;
    }
}
