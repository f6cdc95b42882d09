package dev.carrel.cli;

import dev.carrel.core.config.Configuration;
import dev.carrel.core.config.Configuration.NamedRepo;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which repositories a new session shows, and the settings that hold for them.
 *
 * <p>The two depend on each other: a file of settings gives repositories names, and lies above or
 * in them. So names are looked up in the settings of the current directory, and where none is used,
 * the settings are those of the first repository.
 */
record RepoChoice(List<RepoRequest> repos, Configuration configuration) {

    RepoChoice {
        repos = List.copyOf(repos);
    }

    /** The choice by the words of {@code --repo}; settles the settings. */
    static RepoChoice of(Context context, List<String> words) {
        if (words.isEmpty()) {
            return withoutWords(context);
        }
        Path here = context.directory();
        boolean mayBeNames = words.stream().anyMatch(RepoChoice::couldBeName);
        List<NamedRepo> known = mayBeNames ? context.settle(List.of(here)).repos() : List.of();
        List<RepoRequest> repos = new ArrayList<>();
        boolean byName = false;
        for (String word : words) {
            Optional<NamedRepo> named = named(known, word);
            byName |= named.isPresent();
            repos.add(named.map(RepoChoice::request).orElseGet(() -> RepoWord.parse(word, here)));
        }
        return settled(context, byName, repos);
    }

    private static RepoChoice withoutWords(Context context) {
        Path here = context.directory();
        Optional<Path> around = context.repositoryAround(here);
        List<NamedRepo> known = context.settle(List.of(here)).repos();
        if (around.isPresent()) {
            Optional<String> name =
                    known.stream()
                            .filter(repo -> repo.path().equals(around.get()))
                            .map(NamedRepo::name)
                            .findFirst();
            return settled(context, false, List.of(new RepoRequest(name, around.get())), here);
        }
        Optional<NamedRepo> plain =
                known.stream()
                        .filter(repo -> here.startsWith(repo.path()))
                        .max(Comparator.comparingInt(repo -> repo.path().getNameCount()));
        if (plain.isPresent()) {
            return settled(context, true, List.of(request(plain.get())));
        }
        return known.isEmpty()
                ? settled(context, false, List.of(new RepoRequest(Optional.empty(), here)))
                : settled(context, true, known.stream().map(RepoChoice::request).toList());
    }

    /** The own files of all repositories have a say, also of those that have a name. */
    private static RepoChoice settled(
            Context context, boolean byName, List<RepoRequest> repos, Path... from) {
        List<Path> directories = new ArrayList<>(List.of(from));
        if (byName) {
            directories.add(context.directory());
        }
        repos.forEach(repo -> directories.add(repo.directory()));
        return new RepoChoice(repos, context.settle(directories));
    }

    private static boolean couldBeName(String word) {
        return !word.contains("/") && !word.contains("=") && !word.startsWith(".");
    }

    private static Optional<NamedRepo> named(List<NamedRepo> known, String word) {
        return known.stream().filter(repo -> repo.name().equals(word)).findFirst();
    }

    private static RepoRequest request(NamedRepo repo) {
        return new RepoRequest(Optional.of(repo.name()), repo.path());
    }
}
