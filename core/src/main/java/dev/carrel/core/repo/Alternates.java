package dev.carrel.core.repo;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The object directories that an object directory borrows from. */
final class Alternates {

    private static final int DEEPEST = 5; // git's own limit

    private Alternates() {}

    /** The directory itself, then all others, each once. */
    static List<Path> chain(HostGit git, Path objects) throws InterruptedException {
        Set<Path> found = new LinkedHashSet<>();
        follow(git, objects.normalize(), 0, found);
        return new ArrayList<>(found);
    }

    private static void follow(HostGit git, Path objects, int depth, Set<Path> found)
            throws InterruptedException {
        if (depth > DEEPEST || !found.add(objects)) {
            return;
        }
        Path file = objects.resolve("info/alternates");
        if (!Files.exists(file)) {
            return;
        }
        byte[] content = git.read(file).orElse(new byte[0]);
        for (String line : new String(content, StandardCharsets.UTF_8).split("\n", -1)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                Path borrowed = objects.resolve(GitQuoting.unquoted(line)).normalize();
                if (git.isDirectory(borrowed)) {
                    follow(git, borrowed, depth + 1, found);
                }
            }
        }
    }
}
