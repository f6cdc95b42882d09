package dev.carrel.core.apply;

import dev.carrel.core.process.ProcessRunner;
import java.nio.file.Path;

/**
 * What merging needs of the machine.
 *
 * @param scratch a directory of ours; a temporary one is made in it for each merge
 */
@SuppressWarnings("exports") // made inside the library only
public record MergeTool(ProcessRunner runner, Path scratch) {}
