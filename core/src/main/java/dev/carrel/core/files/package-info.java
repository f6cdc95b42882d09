/**
 * File operations for agent tools: read, write, edit, list, glob, grep, delete, stat in the view
 * that a session's commands have.
 *
 * <p>Each operation is one small script that runs where the commands run. So it sees exactly what
 * they see, obeys the same permissions, and no link, mount or race can lead it to the host: there
 * is no host to be led to. It also never writes a layer that is mounted from outside, which
 * overlayfs does not allow.
 *
 * <p>Knows nothing of sessions: {@link dev.carrel.core.files.Inside} runs the scripts. Start with
 * {@link dev.carrel.core.files.ViewFiles}.
 */
package dev.carrel.core.files;
