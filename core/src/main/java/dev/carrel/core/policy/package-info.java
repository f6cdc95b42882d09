/**
 * The vocabulary: what a sandboxed process may see, reach and use. Values only; nothing here
 * touches the machine.
 *
 * <p>Start with {@link dev.carrel.core.policy.SandboxPolicy} and {@link
 * dev.carrel.core.policy.Mount}.
 */
package dev.carrel.core.policy;
