package dev.carrel.core.apply;

import dev.carrel.core.store.JsonObject;
import dev.carrel.core.tree.Durability;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What applies of a session wrote so far: by repository and path, until it is the base again. */
final class AppliedRecord {

    private final Map<String, TreeMap<TreePath, Applied>> byRepo = new HashMap<>();

    static AppliedRecord load(Path file) {
        AppliedRecord record = new AppliedRecord();
        LineFile.read(
                file,
                line ->
                        record.remember(
                                line.string("repo"),
                                ByteText.path(line.string("path")),
                                Applied.fromJson(line)));
        return record;
    }

    void save(Path file, Durability durability) {
        LineFile.write(
                file,
                byRepo.entrySet().stream().flatMap(repo -> lines(repo.getKey(), repo.getValue())),
                durability);
    }

    private static Stream<JsonObject> lines(String repo, Map<TreePath, Applied> paths) {
        return paths.entrySet().stream()
                .map(path ->
                        path.getValue()
                                .write(
                                        JsonObject.builder()
                                                .put("repo", repo)
                                                .put("path", ByteText.of(path.getKey())))
                                .build());
    }

    Map<TreePath, Applied> of(String repo) {
        return byRepo.getOrDefault(repo, new TreeMap<>());
    }

    Optional<Applied> get(String repo, TreePath path) {
        return Optional.ofNullable(of(repo).get(path));
    }

    void remember(String repo, TreePath path, Applied applied) {
        byRepo.computeIfAbsent(repo, _ -> new TreeMap<>()).put(path, applied);
    }

    void forget(String repo, TreePath path) {
        of(repo).remove(path);
    }

    /** The digests of all that the session had. */
    Set<String> digests() {
        Set<String> digests = new HashSet<>();
        byRepo.values()
                .forEach(paths ->
                        paths.values()
                                .forEach(applied ->
                                        applied.session().digest().ifPresent(digests::add)));
        return digests;
    }
}
