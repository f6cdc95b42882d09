package dev.carrel.core.snapshot;

import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.repo.GitAt;
import dev.carrel.core.repo.Repo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The references that a base carries: those whose history is part of the pinned commit's, for
 * nothing else is kept alive in the origin.
 *
 * @param packed the content of a {@code packed-refs} file, bytes as Latin-1 characters
 * @param tags ids of annotated tags, objects of their own that no commit leads to
 */
record References(String packed, List<String> tags) {

    private static final int FIELDS = 4;

    References {
        tags = List.copyOf(tags);
    }

    /** Those of a repository that has a commit. */
    static References read(GitAt origin, Repo.Git repo, String commit, List<String> notices)
            throws InterruptedException {
        String head = repo.branch().map(name -> "refs/heads/" + name).orElse("");
        ProcessResult listed =
                origin.attempt(
                        "for-each-ref",
                        "--merged=" + commit,
                        "--format=%(objectname) %(objecttype) %(refname) %(symref)",
                        "refs/heads",
                        "refs/remotes",
                        "refs/tags");
        List<String> lines = new ArrayList<>();
        List<String> tags = new ArrayList<>();
        // The branch is at the pinned commit inside, whatever it was moved to meanwhile.
        if (!head.isEmpty()) {
            lines.add(commit + " " + latin1(head.getBytes(StandardCharsets.UTF_8)));
        }
        if (!listed.succeeded()) {
            notices.add("other branches and tags are left out: " + listed.errorText());
            return new References(file(lines), List.of());
        }
        for (String line : latin1(listed.output()).split("\n", -1)) {
            String[] fields = line.split(" ", FIELDS);
            boolean symbolic = fields.length == FIELDS && !fields[FIELDS - 1].isEmpty();
            if (fields.length == FIELDS && !symbolic && !fields[2].equals(head)) {
                lines.add(fields[0] + " " + fields[2]);
                if (fields[1].equals("tag")) {
                    tags.add(fields[0]);
                }
            }
        }
        return new References(file(lines), tags);
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String file(List<String> lines) {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    byte[] bytes() {
        return packed.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** What {@code pack-objects --revs} reads to pack the tags alone. */
    String tagRevisions(String commit) {
        return String.join("\n", tags) + "\n^" + commit + "\n";
    }
}
