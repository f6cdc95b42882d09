package dev.carrel.core.merge;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.merge.MergedChange.Merged;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.repo.FileMode;
import dev.carrel.core.repo.ScratchGit;
import dev.carrel.core.tree.TreePath;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Compares the merged tree with both sides, and reads what neither has. */
final class MergedTreeReader {

    private static final int NEW_MODE = 1;
    private static final int NEW_OBJECT = 3;
    private static final String ABSENT = "000000";

    private final ScratchGit git;
    private final String host;
    private final String session;
    private final String tree;

    MergedTreeReader(ScratchGit git, String host, String session, String tree) {
        this.git = git;
        this.host = host;
        this.session = session;
        this.tree = tree;
    }

    /** A file or link of the merged tree, by the object's name. */
    private record Result(FileMode mode, String object) {}

    List<MergedChange> changes(Set<TreePath> without) throws InterruptedException {
        Map<TreePath, Optional<Result>> changed = difference(host);
        changed.keySet().removeAll(without);
        Set<TreePath> unlikeSession = changed.isEmpty() ? Set.of() : difference(session).keySet();
        Set<String> wanted = new HashSet<>();
        changed.forEach((path, result) -> {
            if (unlikeSession.contains(path)) {
                result.ifPresent(r -> wanted.add(r.object()));
            }
        });
        Map<String, byte[]> contents = wanted.isEmpty() ? Map.of() : contents(wanted);
        List<MergedChange> changes = new ArrayList<>();
        changed.forEach((path, result) ->
                changes.add(
                        new MergedChange(
                                path,
                                result.map(r ->
                                        unlikeSession.contains(path)
                                                ? content(r, contents)
                                                : new Merged.AsSession(r.mode())))));
        return changes;
    }

    private static Merged content(Result result, Map<String, byte[]> contents) {
        byte[] bytes = contents.get(result.object());
        if (bytes == null) {
            throw new IllegalStateException("git did not print " + result.object());
        }
        return new Merged.Content(result.mode(), bytes);
    }

    /** By {@code :100644 100755 OLD NEW M}, then the path. */
    private Map<TreePath, Optional<Result>> difference(String side) throws InterruptedException {
        List<byte[]> items =
                TreeMerge.list(
                        git,
                        "difference",
                        List.of("diff-tree", "-r", "-z", "--raw", "--no-renames", side, tree));
        Map<TreePath, Optional<Result>> changed = new TreeMap<>();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            String[] words = TreeMerge.text(items.get(i)).split(" ", -1);
            changed.put(
                    TreePath.ofBytes(items.get(i + 1)),
                    words[NEW_MODE].equals(ABSENT)
                            ? Optional.empty()
                            : Optional.of(new Result(mode(words[NEW_MODE]), words[NEW_OBJECT])));
        }
        return changed;
    }

    private static FileMode mode(String digits) {
        return Arrays.stream(FileMode.values())
                .filter(mode -> mode.digits().equals(digits))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("mode " + digits + " in a merge"));
    }

    private Map<String, byte[]> contents(Set<String> objects) throws InterruptedException {
        Path list = git.directory().resolve("objects");
        Command command =
                git.command(List.of("cat-file", "--batch"))
                        .withStreams(
                                new Command.Input.File(list),
                                new Command.Output.Piped(),
                                new Command.Output.Captured());
        Map<String, byte[]> contents = new HashMap<>();
        try {
            Files.write(list, objects);
            RunningProcess process = git.runner().start(command);
            try (InputStream in = new BufferedInputStream(process.output())) {
                for (int i = 0; i < objects.size(); i++) {
                    read(in, contents);
                }
            } catch (IOException | RuntimeException failed) {
                process.kill();
                throw failed;
            }
            ProcessResult result = process.await();
            ScratchGit.requireSuccess(command, result.exit(), result);
            return contents;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read what git merged: " + e.getMessage(), null, e);
        }
    }

    /** {@code OBJECT blob SIZE}, a line end, the content, a line end. */
    private static void read(InputStream in, Map<String, byte[]> contents) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("git ended early");
            }
            line.write(b);
        }
        String[] words = line.toString(US_ASCII).split(" ", -1);
        int size = Integer.parseInt(words[words.length - 1]);
        byte[] content = in.readNBytes(size);
        if (content.length < size || in.read() != '\n') {
            throw new IOException("git ended early");
        }
        contents.put(words[0], content);
    }
}
