package dev.carrel.core.snapshot;

import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;

/**
 * A git object directory that the sandbox reads.
 *
 * @param host where it is
 * @param inside where the snapshot's {@code objects/info/alternates} expects it, read-only
 * @param hideAlternates whether {@code /dev/null} has to be mounted over its own {@code
 *     info/alternates}, whose paths mean nothing inside
 */
public record ObjectMount(Path host, SandboxPath inside, boolean hideAlternates) {}
