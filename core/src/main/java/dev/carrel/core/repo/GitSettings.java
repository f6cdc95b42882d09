package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Single values of the configuration that the user's own git would use for a repository: files that
 * it includes are read, nothing that they name is run.
 *
 * @param values by name in lower case
 * @param excludesFile the user's own ignore rules; the file may be missing
 */
public record GitSettings(Map<String, String> values, Optional<Path> excludesFile) {

    private static final String WANTED =
            "^(user\\.(name|email)"
                    + "|core\\.(autocrlf|eol|filemode|symlinks|ignorecase|excludesfile"
                    + "|sparsecheckout|sparsecheckoutcone|bare)"
                    + "|extensions\\.partialclone|remote\\..*\\.promisor)$";

    /** Settings that decide what a checkout looks like and what counts as changed. */
    private static final List<String> CHECKOUT =
            List.of(
                    "core.autocrlf",
                    "core.eol",
                    "core.filemode",
                    "core.symlinks",
                    "core.ignorecase",
                    "core.sparsecheckout",
                    "core.sparsecheckoutcone");

    public GitSettings {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Reads them.
     *
     * @param environment the caller's, for {@code HOME} and {@code XDG_CONFIG_HOME}; where root
     *     works for another user, that user's home is used instead
     */
    public static GitSettings read(
            HostGit git, Path root, Path gitDir, Map<String, String> environment)
            throws InterruptedException {
        Optional<String> home = home(git, environment);
        Optional<String> configHome =
                Optional.ofNullable(environment.get("XDG_CONFIG_HOME"))
                        .filter(_ -> !git.user().switched())
                        .or(() -> home.map(h -> h + "/.config"));
        GitAt at =
                git.at(gitDir, root)
                        .with("GIT_CONFIG_NOSYSTEM", "")
                        .with("GIT_CONFIG_GLOBAL", "")
                        .with("HOME", home.orElse("/nonexistent"))
                        .with("XDG_CONFIG_HOME", configHome.orElse(""));
        Map<String, String> values = values(at);
        Optional<Path> excludes =
                values.containsKey("core.excludesfile")
                        ? Optional.of(
                                Path.of(
                                        at.text(
                                                "config",
                                                "--includes",
                                                "--type=path",
                                                "--get",
                                                "core.excludesfile")))
                        : configHome.map(c -> Path.of(c, "git", "ignore"));
        return new GitSettings(values, excludes);
    }

    private static Map<String, String> values(GitAt at) throws InterruptedException {
        ProcessResult result = at.attempt("config", "--includes", "-z", "--get-regexp", WANTED);
        if (result.exit() > 1) { // 1: none is set
            throw new HostOperationException(
                    "git cannot read its configuration for "
                            + at.gitDir()
                            + ": "
                            + result.errorText());
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String entry : result.outputText().split("\0", -1)) {
            int end = entry.indexOf('\n');
            if (end >= 0) {
                values.put(entry.substring(0, end), entry.substring(end + 1));
            } else if (!entry.isEmpty()) {
                values.put(entry, "true"); // a key without "=" means yes
            }
        }
        return values;
    }

    private static Optional<String> home(HostGit git, Map<String, String> environment)
            throws InterruptedException {
        if (!git.user().switched()) {
            return Optional.ofNullable(environment.get("HOME"));
        }
        ProcessResult entry =
                git.attempt(Command.of("getent", "passwd", Integer.toString(git.user().uid())));
        List<String> fields = Arrays.asList(entry.outputText().split(":", -1));
        return entry.succeeded() && fields.size() > 5
                ? Optional.of(fields.get(5))
                : Optional.empty();
    }

    /** A value; names in lower case. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The settings that decide what a checkout looks like, in a fixed order. */
    public Map<String, String> checkout() {
        Map<String, String> chosen = new LinkedHashMap<>();
        for (String name : CHECKOUT) {
            value(name).ifPresent(v -> chosen.put(name, v));
        }
        return chosen;
    }

    /** Whether only a part of the commit is checked out. */
    public boolean sparse() {
        return isTrue("core.sparsecheckout");
    }

    /** Whether the repository calls itself bare. */
    public boolean bare() {
        return isTrue("core.bare");
    }

    /** Whether objects may be missing because a server promised them. */
    public boolean partial() {
        return values.keySet().stream()
                .anyMatch(k -> k.equals("extensions.partialclone") || k.endsWith(".promisor"));
    }

    private boolean isTrue(String name) {
        return value(name).filter(v -> v.matches("(?i)true|yes|on|1")).isPresent();
    }
}
