package dev.carrel.core.apply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the steps of one apply keep open between them: reopening it all would double their cost. */
final class Handles implements AutoCloseable {

    private final List<Batch> batches;
    private final Journal journal;
    private final Map<Integer, Commit> commits = new HashMap<>();
    private final Map<Integer, Contents> contents = new HashMap<>();
    private final List<Staging> stagings = new ArrayList<>();

    Handles(List<Batch> batches, Journal journal) {
        this.batches = batches;
        this.journal = journal;
    }

    Commit commit(int repo) {
        return commits.computeIfAbsent(
                repo,
                index -> {
                    Staging staging = Staging.open(journal.repos().get(index));
                    stagings.add(staging);
                    return new Commit(staging);
                });
    }

    Contents contents(int repo) {
        return contents.computeIfAbsent(repo, index -> batches.get(index).contents().get());
    }

    @Override
    public void close() {
        contents.values().forEach(Contents::close);
        contents.clear();
        commits.values().forEach(Commit::close);
        commits.clear();
        stagings.forEach(Staging::close);
        stagings.clear();
    }
}
