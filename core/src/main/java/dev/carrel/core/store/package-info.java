/**
 * Files that outlive a run: where they lie, how they are written, read and locked.
 *
 * <p>Only {@link dev.carrel.core.store.StateLayout} knows the layout. Everything is written beside
 * and moved into place ({@link dev.carrel.core.store.AtomicFile}); a file that cannot be read stays
 * as it is. This package knows no session, snapshot or repository: it hands out places and values,
 * others give them meaning. It makes no native calls, so that short commands start fast. Start with
 * {@code StateLayout} and {@code Json}.
 */
package dev.carrel.core.store;
