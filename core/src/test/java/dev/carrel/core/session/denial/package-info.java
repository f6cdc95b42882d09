/**
 * Attempts to break what the sandbox promises. {@link
 * dev.carrel.core.session.denial.SandboxDenialIT} makes each {@link
 * dev.carrel.core.session.denial.Attack} in a real session and expects it to be denied; {@link
 * dev.carrel.core.session.denial.WeakLauncherIT} makes the same attacks under a launcher that is
 * weak on purpose and expects them to succeed, so that no check passes for the wrong reason.
 */
@org.jspecify.annotations.NullMarked
package dev.carrel.core.session.denial;
