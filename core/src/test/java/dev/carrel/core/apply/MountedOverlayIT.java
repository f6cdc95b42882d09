package dev.carrel.core.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.overlay.Change;
import dev.carrel.core.overlay.ChangeSet;
import dev.carrel.core.overlay.ChangeSets;
import dev.carrel.core.overlay.IgnoreFilter;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.InMemory;
import dev.carrel.core.testing.RandomTree;
import dev.carrel.core.testing.Requirements;
import dev.carrel.core.testing.TreeImage;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers that the kernel wrote: random commands in a real overlay, compared with its own view. */
class MountedOverlayIT {

    private static final String NAMES =
            """
            n0=a n1=b n2=c.txt n3=dir n4=-rf n5=$(printf 'two\\nlines') n6='q"\\ ' n7=$(printf \
            '\\377x\\200') n8=$(printf 'gr\\303\\274n') n9=':(glob)*'
            """;

    private @TempDir(factory = InMemory.class) Path temp;

    private static String script(long seed) {
        Random random = new Random(seed);
        StringBuilder script = new StringBuilder(NAMES).append("umask 022; cd /w\n");
        for (int i = 0; i < 60; i++) {
            String path = path(random);
            String other = path(random);
            String text = "line" + random.nextInt(5);
            String command =
                    switch (random.nextInt(10)) {
                        case 0, 1 -> "rm -rf P; echo " + text + " > P";
                        case 2 -> "echo " + text + " >> P";
                        case 3, 4 -> "rm -rf P";
                        case 5 -> "mkdir P";
                        case 6 -> "rm -rf P; mkdir -p P/$n" + random.nextInt(10);
                        case 7 -> "rm -rf P; ln -s " + other + " P";
                        case 8 -> "mv P " + other;
                        default -> "chmod " + List.of("755", "700", "775").get(i % 3) + " P";
                    };
            script.append(command.replace("P", path)).append(" || :\n");
        }
        return script.append("exec cp -a /w/. /out/\n").toString();
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder("\".");
        for (int depth = random.nextInt(3); depth >= 0; depth--) {
            path.append("/$n").append(random.nextInt(10));
        }
        return path.append('"').toString();
    }

    private Path runInOverlay(Bench bench, String script) throws Exception {
        Path bwrap = Requirements.bwrap();
        Path work = Files.createDirectories(bench.upper.resolveSibling("work"));
        Path out = Files.createDirectories(bench.upper.resolveSibling("out"));
        String[] argv = {
            bwrap.toString(),
            "--unshare-user",
            "--ro-bind",
            "/usr",
            "/usr",
            "--symlink",
            "usr/bin",
            "/bin",
            "--symlink",
            "usr/lib",
            "/lib",
            "--symlink",
            "usr/lib64",
            "/lib64",
            "--dev",
            "/dev",
            "--bind",
            out.toString(),
            "/out",
            "--overlay-src",
            bench.base.toString(),
            "--overlay",
            bench.upper.toString(),
            work.toString(),
            "/w",
            "--",
            "sh"
        };
        ProcessResult result =
                new HostProcessRunner().run(Command.of(argv).withInput(script.getBytes(UTF_8)));
        assertThat(result.succeeded()).as(result.errorText()).isTrue();
        return out;
    }

    /** What differs, from the two trees alone. */
    private static SortedMap<TreePath, String> difference(
            SortedMap<TreePath, String> before, SortedMap<TreePath, String> after) {
        TreeSet<TreePath> paths = new TreeSet<>(before.keySet());
        paths.addAll(after.keySet());
        SortedMap<TreePath, String> kinds = new TreeMap<>();
        for (TreePath path : paths) {
            String old = before.get(path);
            String now = after.get(path);
            if (old == null) {
                kinds.put(path, "ADDED");
            } else if (now == null) {
                kinds.put(path, "DELETED");
            } else if (!old.equals(now)) {
                kinds.put(path, kind(old, now));
            }
        }
        return kinds;
    }

    private static String kind(String old, String now) {
        List<String> one = List.of(old.split(" ", 3));
        List<String> other = List.of(now.split(" ", 3));
        if (!one.getFirst().equals(other.getFirst())) {
            return "TYPE_CHANGED";
        }
        boolean sameContent =
                one.size() == other.size()
                        && (one.size() < 3 || Objects.equals(one.get(2), other.get(2)));
        return sameContent && !one.getFirst().equals("link") ? "MODE_CHANGED" : "MODIFIED";
    }

    @Test
    void changeSetsAndAppliedTreesAreWhatTheKernelShows() throws Exception {
        for (long seed = 0; seed < 8; seed++) {
            Bench bench = new Bench(temp.resolve("seed" + seed));
            new RandomTree(bench.host, seed).change(60);
            bench.start();
            Path out = runInOverlay(bench, script(seed));
            SortedMap<TreePath, String> seen = TreeImage.of(out);
            ChangeSet set = ChangeSets.compute(bench.stack(), IgnoreFilter.nothing());
            SortedMap<TreePath, String> kinds = new TreeMap<>();
            for (Change change : set.changes()) {
                kinds.put(change.path(), change.kind().toString());
            }
            assertThat(kinds)
                    .as("seed " + seed)
                    .isNotEmpty()
                    .isEqualTo(difference(TreeImage.of(bench.base), seen));
            bench.apply();
            assertThat(bench.image()).as("seed " + seed).isEqualTo(seen);
        }
    }
}
