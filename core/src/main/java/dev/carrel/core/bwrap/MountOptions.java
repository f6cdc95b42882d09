package dev.carrel.core.bwrap;

import dev.carrel.core.policy.Mount;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Mounts as bubblewrap options, in order, with the parent directories that they need. */
public final class MountOptions {

    private final List<String> words = new ArrayList<>();
    private final Set<Path> present = new HashSet<>(Set.of(Path.of("/")));
    private final Set<Path> filled = new HashSet<>();
    private final Set<Path> memory = new HashSet<>();

    private MountOptions() {}

    /** The options that make these mounts. */
    public static List<String> of(List<Mount> mounts) {
        MountOptions options = new MountOptions();
        mounts.forEach(options::add);
        return options.words;
    }

    private void add(Mount mount) {
        Path target = mount.target().path();
        makeParents(target);
        String at = target.toString();
        switch (mount) {
            case Mount.ReadOnly(Path source, _) -> put("--ro-bind", source.toString(), at);
            case Mount.Writable(Path source, _) -> put("--bind", source.toString(), at);
            case Mount.EmptyDirectory(_, int mode) -> put("--perms", octal(mode), "--dir", at);
            case Mount.Tmpfs(_, long bytes, int mode) ->
                    put("--size", Long.toString(bytes), "--perms", octal(mode), "--tmpfs", at);
            case Mount.Link(String text, _) -> put("--symlink", text, at);
            case Mount.Device(Path source, _) -> put("--dev-bind", source.toString(), at);
            case Mount.Sealed _ -> put("--remount-ro", at);
            case Mount.Overlay overlay -> overlay(overlay);
        }
        present.add(target);
        if (mount instanceof Mount.Tmpfs) {
            memory.add(target);
        } else if (!(mount instanceof Mount.EmptyDirectory)) {
            filled.add(target);
        }
    }

    private void overlay(Mount.Overlay overlay) {
        // bubblewrap takes the lowest layer first.
        for (Path lower : overlay.lowers().reversed()) {
            put("--overlay-src", lower.toString());
        }
        put(
                "--overlay",
                overlay.upper().toString(),
                overlay.work().toString(),
                overlay.target().toString());
    }

    /**
     * Parents that bubblewrap makes up by itself have mode 0700; below something already mounted
     * there is no need.
     */
    private void makeParents(Path target) {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path at = target.getParent(); at != null; at = at.getParent()) {
            if (filled.contains(at)) {
                return;
            }
            if (memory.contains(at)) {
                // Empty to begin with, whatever it lies in.
                break;
            }
            if (!present.contains(at)) {
                missing.addFirst(at);
            }
        }
        for (Path directory : missing) {
            put("--perms", "0755", "--dir", directory.toString());
            present.add(directory);
        }
    }

    private void put(String... more) {
        words.addAll(List.of(more));
    }

    private static String octal(int mode) {
        return "0" + Integer.toOctalString(mode);
    }
}
