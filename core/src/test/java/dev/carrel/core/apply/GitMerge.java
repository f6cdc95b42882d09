package dev.carrel.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.tree.TreePath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What git itself makes of three trees: commits on two branches of a real repository, merged. */
final class GitMerge {

    private final Path tree;
    private final Path gitDir;

    /**
     * @param tree where the merged files end up
     * @param gitDir of a repository that does not exist yet
     */
    GitMerge(Path tree, Path gitDir) {
        this.tree = tree;
        this.gitDir = gitDir;
    }

    /** Merges; answers the paths in conflict. */
    Set<TreePath> run(Path base, Path host, Path session) throws InterruptedException {
        git(tree, 0, "init", "-q", "-b", "host");
        commit(base, "base");
        git(tree, 0, "branch", "session");
        commit(host, "host");
        git(tree, 0, "symbolic-ref", "HEAD", "refs/heads/session");
        commit(session, "session");
        git(tree, 0, "symbolic-ref", "HEAD", "refs/heads/host");
        git(tree, 0, "reset", "-q", "--hard");
        ProcessResult merge = attempt(tree, "merge", "-q", "--no-edit", "session");
        assertThat(merge.exit()).as(merge.errorText()).isIn(0, 1);
        Set<TreePath> unmerged = new TreeSet<>();
        for (byte[] line : items(git(tree, 0, "ls-files", "-u", "-z"))) {
            String text = new String(line, StandardCharsets.ISO_8859_1);
            unmerged.add(
                    TreePath.ofBytes(
                            text.substring(text.indexOf('\t') + 1)
                                    .getBytes(StandardCharsets.ISO_8859_1)));
        }
        return unmerged;
    }

    private void commit(Path from, String message) throws InterruptedException {
        git(from, 0, "add", "-A", "-f", ".");
        git(from, 0, "commit", "-q", "--allow-empty", "-m", message);
    }

    private static List<byte[]> items(byte[] list) {
        List<byte[]> items = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < list.length; i++) {
            if (list[i] == 0) {
                items.add(Arrays.copyOfRange(list, start, i));
                start = i + 1;
            }
        }
        return items;
    }

    private byte[] git(Path workTree, int exit, String... arguments) throws InterruptedException {
        ProcessResult result = attempt(workTree, arguments);
        assertThat(result.exit()).as(result.errorText()).isEqualTo(exit);
        return result.output();
    }

    private ProcessResult attempt(Path workTree, String... arguments) throws InterruptedException {
        List<String> argv =
                new ArrayList<>(
                        List.of("git", "-c", "user.name=t", "-c", "user.email=t@example.org"));
        argv.addAll(List.of("-c", "core.protectNTFS=false", "-c", "core.protectHFS=false"));
        argv.addAll(List.of(arguments));
        return new HostProcessRunner()
                .run(
                        Command.of(argv)
                                .in(workTree)
                                .withVariable("GIT_DIR", gitDir.toString())
                                .withVariable("GIT_WORK_TREE", workTree.toString())
                                .withVariable("GIT_CONFIG_NOSYSTEM", "1")
                                .withVariable("GIT_CONFIG_GLOBAL", "/dev/null"));
    }
}
