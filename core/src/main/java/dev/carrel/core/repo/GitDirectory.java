package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A git directory of our own, written file by file: no template, no hooks, no configuration but
 * what is given here.
 *
 * @param head a commit, or {@code ref: refs/heads/NAME}
 * @param settings {@code section.key} in lower case to value
 * @param alternates object directories to borrow from, as the reader of the directory sees them
 * @param excludes ignore rules
 * @param sparse patterns of a sparse checkout
 * @param shallow commits whose parents are missing
 * @param packedReferences lines of a {@code packed-refs} file
 */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
public record GitDirectory(
        String head,
        String objectFormat,
        Map<String, String> settings,
        List<String> alternates,
        byte[] excludes,
        Optional<byte[]> sparse,
        Optional<byte[]> shallow,
        byte[] packedReferences) {

    public GitDirectory {
        settings = new LinkedHashMap<>(settings);
        alternates = List.copyOf(alternates);
    }

    /** One that borrows the objects of a repository and points at its commit. */
    public static GitDirectory over(Repo.Git repo, OriginFiles files, GitSettings settings) {
        String unborn = "ref: refs/heads/" + repo.branch().orElse("main");
        return new GitDirectory(
                repo.commit().orElse(unborn),
                repo.objectFormat(),
                settings.checkout(),
                repo.objectDirectories().stream().map(Path::toString).toList(),
                files.excludes(),
                files.sparse(),
                files.shallow(),
                new byte[0]);
    }

    /** The same with another HEAD and other references. */
    public GitDirectory pointing(String newHead, byte[] references) {
        return new GitDirectory(
                newHead, objectFormat, settings, alternates, excludes, sparse, shallow, references);
    }

    /** The same with other alternates. */
    public GitDirectory borrowing(List<String> others) {
        return new GitDirectory(
                head, objectFormat, settings, others, excludes, sparse, shallow, packedReferences);
    }

    /** The same with one more setting. */
    public GitDirectory with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new GitDirectory(
                head, objectFormat, more, alternates, excludes, sparse, shallow, packedReferences);
    }

    /** Writes it to a place that must be free, for the caller only; gone again by its owner. */
    public void write(Path directory) {
        try {
            for (String name : List.of("objects/info", "objects/pack", "refs/heads", "refs/tags")) {
                Files.createDirectories(directory.resolve(name));
            }
            Files.createDirectories(directory.resolve("info"));
            put(directory, "HEAD", (head + "\n").getBytes(StandardCharsets.UTF_8));
            put(directory, "config", configuration());
            put(directory, "info/exclude", excludes);
            if (!alternates.isEmpty()) {
                put(directory, "objects/info/alternates", alternateLines());
            }
            if (packedReferences.length > 0) {
                put(directory, "packed-refs", packedReferences);
            }
            if (sparse.isPresent()) {
                put(directory, "info/sparse-checkout", sparse.get());
            }
            if (shallow.isPresent()) {
                put(directory, "shallow", shallow.get());
            }
        } catch (IOException e) {
            throw new HostOperationException("cannot write " + directory + ": " + e, null, e);
        }
    }

    private static void put(Path directory, String name, byte[] content) throws IOException {
        Files.write(directory.resolve(name), content);
    }

    private byte[] alternateLines() {
        List<String> lines = alternates.stream().map(GitQuoting::alternate).toList();
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private byte[] configuration() {
        boolean extended = !objectFormat.equals("sha1");
        List<String> lines = new ArrayList<>();
        lines.add("[core]");
        lines.add("\trepositoryformatversion = " + (extended ? 1 : 0));
        lines.add("\tbare = false");
        if (extended) {
            lines.add("[extensions]");
            lines.add("\tobjectformat = " + objectFormat);
        }
        settings.forEach((name, value) -> {
            int dot = name.indexOf('.');
            lines.add("[" + name.substring(0, dot) + "]");
            lines.add("\t" + name.substring(dot + 1) + " = " + GitQuoting.value(value));
        });
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
