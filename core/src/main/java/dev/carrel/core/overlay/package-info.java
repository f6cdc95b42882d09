/**
 * What a session changed: the layers of one repository's view, the set of changes between base and
 * view, and its presentation as a diff.
 *
 * <p>Everything is read through descriptors; what a sandbox left behind is never followed, opened
 * as a device or executed, and git sees only scratch repositories of ours. This package knows
 * nothing of the host's checkout (that is {@code apply}) and never writes into a layer, except for
 * {@link dev.carrel.core.overlay.Discards}, which works on sessions that are not mounted. Start
 * with {@link dev.carrel.core.overlay.ChangeSets}.
 */
package dev.carrel.core.overlay;
