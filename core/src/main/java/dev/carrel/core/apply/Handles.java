package dev.carrel.core.apply;

import dev.carrel.core.overlay.MergedTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the steps of one apply keep open between them: reopening it all would double their cost. */
final class Handles implements AutoCloseable {

    private final List<ApplyTarget> targets;
    private final Journal journal;
    private final Map<Integer, Commit> commits = new HashMap<>();
    private final List<Staging> stagings = new ArrayList<>();
    private Optional<Source> source = Optional.empty();

    Handles(List<ApplyTarget> targets, Journal journal) {
        this.targets = targets;
        this.journal = journal;
    }

    private record Source(int repo, Operation.Source kind, MergedTree tree) {}

    Commit commit(int repo) {
        return commits.computeIfAbsent(
                repo,
                index -> {
                    Staging staging = Staging.open(journal.repos().get(index));
                    stagings.add(staging);
                    return new Commit(staging);
                });
    }

    /** One at a time: what is staged comes by repository. */
    MergedTree source(int repo, Operation.Source kind) {
        boolean fits = source.filter(s -> s.repo() == repo && s.kind() == kind).isPresent();
        if (!fits) {
            closeSource();
            var stack = targets.get(repo).stack();
            MergedTree tree =
                    switch (kind) {
                        case VIEW -> MergedTree.view(stack);
                        case BASE -> MergedTree.base(stack);
                    };
            source = Optional.of(new Source(repo, kind, tree));
        }
        return source.orElseThrow().tree();
    }

    private void closeSource() {
        source.ifPresent(s -> s.tree().close());
        source = Optional.empty();
    }

    @Override
    public void close() {
        closeSource();
        commits.values().forEach(Commit::close);
        commits.clear();
        stagings.forEach(Staging::close);
        stagings.clear();
    }
}
