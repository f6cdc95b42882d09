package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.overlay.MergedTree;
import dev.carrel.core.store.SessionLayout;
import dev.carrel.core.tree.TreePath;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Finds in the frozen base what {@code sandbox.mask} names. Links are followed as a command inside
 * would follow them, but only within the repository: what is hidden is what they lead to, so that
 * no other link leads there either. What a link leads to elsewhere is not in the session to begin
 * with.
 */
final class Masks {

    private static final int MOST_LINKS = 40;

    private final RepoRecord repo;
    private final MergedTree base;

    private Masks(RepoRecord repo, MergedTree base) {
        this.repo = repo;
        this.base = base;
    }

    /** The repository with what is hidden of it; its base exists. */
    static RepoRecord hide(RepoRecord repo, List<String> entries, SessionLayout layout) {
        if (entries.isEmpty()) {
            return repo;
        }
        try (MergedTree base = MergedTree.base(repo.stack(layout))) {
            Masks masks = new Masks(repo, base);
            return repo.hiding(
                    entries.stream().map(masks::resolve).flatMap(Optional::stream).toList());
        }
    }

    /** The entries that hide nothing in any of the repositories. */
    static List<String> unmatched(List<String> entries, List<RepoRecord> repos) {
        return entries.stream()
                .filter(entry ->
                        repos.stream()
                                .flatMap(repo -> repo.hidden().stream())
                                .noneMatch(hidden -> hidden.entry().equals(entry)))
                .toList();
    }

    private Optional<HiddenPath> resolve(String entry) {
        Deque<String> rest = new ArrayDeque<>(names(entry));
        List<String> at = new ArrayList<>();
        boolean directory = true;
        for (int links = 0; !rest.isEmpty(); ) {
            String name = rest.pop();
            if (!directory) {
                return Optional.empty();
            }
            if (name.equals("..")) {
                if (at.isEmpty()) {
                    return Optional.empty();
                }
                at.removeLast();
                continue;
            }
            at.add(name);
            Optional<Entry> found = base.entry(TreePath.of(String.join("/", at)));
            if (found.isEmpty()) {
                return Optional.empty();
            }
            directory = found.get() instanceof Entry.Directory;
            if (found.get() instanceof Entry.Link link) {
                Optional<String> target = inside(entry, link, at);
                if (target.isEmpty() || ++links > MOST_LINKS) {
                    return Optional.empty();
                }
                directory = true;
                names(target.get()).reversed().forEach(rest::push);
            }
        }
        if (at.isEmpty()) {
            throw new InvalidInputException(
                    "sandbox.mask: '"
                            + entry
                            + "' leads to the root of "
                            + repo.name()
                            + ", all of it");
        }
        return Optional.of(new HiddenPath(entry, String.join("/", at), directory));
    }

    /** Where a link goes on from; empty where it leaves the repository. */
    private Optional<String> inside(String entry, Entry.Link link, List<String> at) {
        String target = text(entry, link.target());
        if (!target.startsWith("/")) {
            at.removeLast();
            return Optional.of(target);
        }
        at.clear();
        String root = repo.inside().toString();
        return target.equals(root) || target.startsWith(root + "/")
                ? Optional.of(target.substring(root.length()))
                : Optional.empty();
    }

    private static String text(String entry, byte[] target) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(target)).toString();
        } catch (CharacterCodingException notText) {
            throw new InvalidInputException(
                    "sandbox.mask: '" + entry + "' is a link to a name that is not UTF-8");
        }
    }

    private static List<String> names(String path) {
        return List.of(path.split("/", -1)).stream()
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .toList();
    }
}
