package dev.carrel.core.session;

import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.apply.Operation;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.NotFoundException;
import dev.carrel.core.session.SessionRecord.MountRecord;
import dev.carrel.core.snapshot.ObjectMount;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The places of the host that a session goes on needing after it was made. */
final class HostPlaces {

    private static final int MOST_SHOWN = 3;

    private HostPlaces() {}

    /** What commands need and the host no longer has. */
    static Optional<NotFoundException> missing(SessionRecord record) {
        for (RepoRecord repo : record.repos()) {
            for (ObjectMount objects : repo.base().gitObjects()) {
                if (!Files.isDirectory(objects.host())) {
                    return Optional.of(
                            Files.isDirectory(repo.root())
                                    ? gone(objects.host(), "git's objects of it are", record)
                                    : moved(repo, record));
                }
            }
        }
        return record.mounts().stream()
                .map(MountRecord::source)
                .filter(source -> !Files.exists(source))
                .findFirst()
                .map(source -> gone(source, "it is shown by a mount of the session", record));
    }

    /**
     * Before an apply looks at anything.
     *
     * @throws NotFoundException if the repository is not there
     */
    static void requireCheckout(RepoRecord repo, SessionRecord record) {
        if (!Files.isDirectory(repo.root(), LinkOption.NOFOLLOW_LINKS)) {
            throw moved(repo, record);
        }
    }

    private static NotFoundException moved(RepoRecord repo, SessionRecord record) {
        return new NotFoundException(
                "the repository "
                        + repo.root()
                        + " of session "
                        + record.id()
                        + " is not there: it was moved or removed",
                "Move it back. Without it the changes can still be shown and removed: carrel diff "
                        + record.id()
                        + " (git apply takes its output elsewhere), carrel session rm "
                        + record.id());
    }

    private static NotFoundException gone(Path path, String what, SessionRecord record) {
        return new NotFoundException(
                path + ", which session " + record.id() + " needs, is not there any more: " + what,
                "Put it back, or take what the session has: carrel apply " + record.id());
    }

    /**
     * Before an apply writes anything.
     *
     * @param writable whether the caller may write a directory
     * @throws HostOperationException if the caller may not write where something would change
     */
    static void requireWritable(
            List<RepoRecord> repos, ApplyPlan plan, SessionId id, Predicate<Path> writable) {
        Set<Path> places = new TreeSet<>();
        for (RepoRecord repo : repos) {
            for (Operation operation : plan.operations().getOrDefault(repo.name(), List.of())) {
                places.add(repo.root());
                places.add(repo.root().resolve(operation.path().toString()).resolveSibling("."));
            }
        }
        List<String> denied =
                places.stream()
                        .map(Path::normalize)
                        .distinct()
                        .filter(place -> Files.isDirectory(place) && !writable.test(place))
                        .map(Path::toString)
                        .toList();
        if (!denied.isEmpty()) {
            throw new HostOperationException(
                    "nothing was applied: you may not write "
                            + String.join(", ", denied.stream().limit(MOST_SHOWN).toList())
                            + (denied.size() > MOST_SHOWN
                                    ? " and " + (denied.size() - MOST_SHOWN) + " more"
                                    : ""),
                    "Let a user who may take them: carrel diff "
                            + id
                            + " >changes.patch, then as that user: git apply changes.patch");
        }
    }
}
