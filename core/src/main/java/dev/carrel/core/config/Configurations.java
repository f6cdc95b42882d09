package dev.carrel.core.config;

import dev.carrel.core.config.ConfigFile.Role;
import dev.carrel.core.config.Document.Format;
import dev.carrel.core.config.Problem.Kind;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.process.Shell;
import dev.carrel.core.store.JsonNumber;
import dev.carrel.core.store.JsonString;
import dev.carrel.core.store.StateLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Finds and reads the files that settings come from. Prints nothing and keeps nothing but a cache
 * on disk; safe for many threads and processes.
 */
public final class Configurations {

    private final ConfigRequest request;
    private final DocumentCache cache;

    public Configurations(ConfigRequest request) {
        this.request = request;
        this.cache = new DocumentCache(request);
    }

    /**
     * What holds for work in these repositories; the user's file is looked for above the first.
     *
     * @throws InvalidInputException with everything that is wrong with the files, in the order of
     *     their texts
     * @throws dev.carrel.core.failure.NotFoundException where a file that was named is missing
     */
    public Configuration load(List<RepoPlace> places) {
        return load(ConfigSearch.of(request, places));
    }

    /** What the user's file alone says, for work that a repository has no say in. */
    public Configuration loadUsers(RepoPlace place) {
        ConfigSearch.Found found = ConfigSearch.of(request, List.of(place));
        return load(new ConfigSearch.Found(found.users(), List.of(), List.of()));
    }

    private Configuration load(ConfigSearch.Found found) {
        if (found.users().isEmpty() && found.own().isEmpty()) {
            return Configuration.NONE;
        }
        Configuration all = merge(found);
        List<Problem> errors =
                all.problems().stream().filter(problem -> problem.kind() == Kind.ERROR).toList();
        if (!errors.isEmpty()) {
            throw new InvalidInputException(
                    errors.stream().map(Problem::toString).toList(), remedy(errors));
        }
        return all;
    }

    /** A file that was named for one command is not found by the next. */
    private String remedy(List<Problem> errors) {
        return "carrel config check"
                + request.named()
                        .filter(file -> errors.stream().map(Problem::file).anyMatch(file::equals))
                        .map(file -> " " + Shell.quote(file.toString()))
                        .orElse("");
    }

    /**
     * The same for people who want to know what is wrong: problems of every kind are in the result,
     * and nothing is thrown because of them.
     */
    public Configuration check(List<RepoPlace> places) {
        return merge(ConfigSearch.of(request, places));
    }

    /**
     * The same for one file.
     *
     * @param repository the repository it belongs to; empty: it is the user's own
     */
    public Configuration check(Path file, Optional<RepoPlace> repository) {
        if (repository.isEmpty()) {
            ConfigFile users = new ConfigFile(file, Role.NAMED);
            return merge(new ConfigSearch.Found(Optional.of(users), List.of(), List.of()));
        }
        ConfigSearch.Found found = ConfigSearch.of(request, List.of(repository.get()));
        List<ConfigFile> own = List.of(new ConfigFile(file, Role.REPOSITORY));
        return merge(new ConfigSearch.Found(found.users(), own, List.of()));
    }

    /** Where the user's own file is if there is none nearer; need not exist. */
    public Path usersFile() {
        return ConfigSearch.usersDirectory(request).resolve(ConfigFile.CARREL);
    }

    private Configuration merge(ConfigSearch.Found found) {
        Merging merging = new Merging(request, new Schema());
        merging.defaultValue("workspace_base", new JsonString(defaultBase(found).toString()));
        found.users()
                .ifPresent(file -> {
                    Document document = read(file);
                    if (file.format() == Format.CODUMENTOR) {
                        merging.defaultValue(
                                "external_agent.default_sandbox_tier", JsonNumber.of(0));
                    }
                    merging.users(file.path(), document);
                });
        for (ConfigFile file : found.own()) {
            merging.repository(file.path(), read(file));
        }
        merging.finish();
        return new Configuration(
                found.users().map(ConfigFile::path),
                found.own().stream().map(ConfigFile::path).toList(),
                merging.values(),
                merging.problems(),
                found.notices());
    }

    /** Root's is the same under any file: its sandboxes have to reach it. */
    private Path defaultBase(ConfigSearch.Found found) {
        boolean codumentor =
                request.uid() != 0
                        && found.users()
                                .filter(file -> file.format() == Format.CODUMENTOR)
                                .isPresent();
        return codumentor
                ? request.home().resolve(".codumentor/workspaces")
                : StateLayout.defaultBase(request.home(), request.uid());
    }

    private Document read(ConfigFile file) {
        byte[] content = file.read(request.uid());
        Path entry = cache.entry(content, file.format());
        Optional<Document> remembered = cache.get(entry, file.path());
        if (remembered.isPresent()) {
            return remembered.get();
        }
        Document document = DocumentReader.read(file.path(), content, file.format());
        if (!document.hasErrors()) {
            cache.put(entry, document);
        }
        return document;
    }
}
