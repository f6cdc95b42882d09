/**
 * What this machine can do, found by trying: the bubblewrap program, user namespaces, overlays, the
 * user under which sandboxes run, and the read-only view of the host's tool chains.
 *
 * <p>Knows nothing of sessions, snapshots or policies beyond the vocabulary of mounts. Nothing here
 * changes the machine; probes work in throw-away directories that they remove. Start with {@link
 * dev.carrel.core.host.Bwraps}, {@link dev.carrel.core.host.HostView} and {@link
 * dev.carrel.core.host.Doctor}.
 */
package dev.carrel.core.host;
