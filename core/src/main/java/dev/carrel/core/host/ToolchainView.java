package dev.carrel.core.host;

import dev.carrel.core.policy.Mount;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The read-only part of a sandbox's view: the host's programs and what they need, no secrets.
 *
 * @param mounts in an order that can be carried out as it is; missing folders are in it, each with
 *     mode 0755
 * @param path the directories for PATH inside: the caller's that are visible, in the caller's
 *     order, then the usual ones
 * @param variables what tools need because HOME is another inside, in a stable order
 * @param notices what of the caller's PATH is not shown, one sentence each, with the reason
 */
public record ToolchainView(
        List<Mount> mounts, List<Path> path, Map<String, String> variables, List<String> notices) {

    public ToolchainView {
        mounts = List.copyOf(mounts);
        path = List.copyOf(path);
        variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        notices = List.copyOf(notices);
    }

    /** The value of PATH inside. */
    public String pathVariable() {
        return String.join(":", path.stream().map(Path::toString).toList());
    }
}
