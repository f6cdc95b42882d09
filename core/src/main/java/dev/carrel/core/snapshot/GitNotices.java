package dev.carrel.core.snapshot;

import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.repo.GitAt;
import dev.carrel.core.repo.GitSettings;
import dev.carrel.core.repo.Repo;
import dev.carrel.core.repo.WorkTree;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a session will find different from the checkout, one line for each kind. */
record GitNotices(Repo.Git repo, GitAt at, List<String> notices) {

    private static final Pattern FILTER = Pattern.compile("(?m)^[^#\\n]*\\sfilter=(\\S+)");

    private static final Map<String, String> UNFINISHED =
            Map.of(
                    "MERGE_HEAD", "merge",
                    "CHERRY_PICK_HEAD", "cherry-pick",
                    "REVERT_HEAD", "revert",
                    "rebase-merge", "rebase",
                    "rebase-apply", "rebase");

    void collect(GitSettings settings) throws InterruptedException {
        if (settings.partial()) {
            notices.add(
                    "the clone is partial: objects that are not on this machine are missing inside,"
                            + " so that log -p, fsck and gc may fail");
        }
        new TreeSet<>(
                        UNFINISHED.entrySet().stream()
                                .filter(e -> Files.exists(repo.gitDir().resolve(e.getKey())))
                                .map(Map.Entry::getValue)
                                .toList())
                .forEach(operation ->
                        notices.add(
                                "a "
                                        + operation
                                        + " is unfinished in the checkout: the session has"
                                        + " its files, not its state"));
        Set<String> filters = new TreeSet<>();
        for (byte[] name :
                WorkTree.split(
                        at.run(
                                "ls-files",
                                "-z",
                                "--",
                                ".gitmodules",
                                ":(glob)**/.gitattributes"))) {
            String file = new String(name, StandardCharsets.UTF_8);
            if (file.equals(".gitmodules")) {
                notices.add("submodules are empty directories in the session");
            } else {
                addFilters(file, filters);
            }
        }
        if (!filters.isEmpty()) {
            notices.add(
                    "files with the git filter "
                            + String.join(", ", filters)
                            + " are in the session as git stores them: no filter is run");
        }
    }

    private void addFilters(String file, Set<String> filters) throws InterruptedException {
        ProcessResult content = at.attempt("cat-file", "blob", ":" + file);
        Matcher matcher = FILTER.matcher(content.outputText());
        while (matcher.find()) {
            filters.add(matcher.group(1));
        }
    }
}
