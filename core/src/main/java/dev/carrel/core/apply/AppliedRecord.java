package dev.carrel.core.apply;

import dev.carrel.core.store.JsonObject;
import dev.carrel.core.tree.TreePath;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What applies of a session wrote so far: by repository and path, until it is the base again. */
final class AppliedRecord {

    private final Map<String, TreeMap<TreePath, Fingerprint>> byRepo = new HashMap<>();

    static AppliedRecord load(Path file) {
        AppliedRecord record = new AppliedRecord();
        LineFile.read(
                file,
                line ->
                        record.remember(
                                line.string("repo"),
                                ByteText.path(line.string("path")),
                                new Fingerprint(line.string("fingerprint"))));
        return record;
    }

    void save(Path file) {
        LineFile.write(
                file,
                byRepo.entrySet().stream().flatMap(repo -> lines(repo.getKey(), repo.getValue())));
    }

    private static Stream<JsonObject> lines(String repo, Map<TreePath, Fingerprint> paths) {
        return paths.entrySet().stream()
                .map(path ->
                        JsonObject.builder()
                                .put("repo", repo)
                                .put("path", ByteText.of(path.getKey()))
                                .put("fingerprint", path.getValue().text())
                                .build());
    }

    Map<TreePath, Fingerprint> of(String repo) {
        return byRepo.getOrDefault(repo, new TreeMap<>());
    }

    Optional<Fingerprint> get(String repo, TreePath path) {
        return Optional.ofNullable(of(repo).get(path));
    }

    void remember(String repo, TreePath path, Fingerprint fingerprint) {
        byRepo.computeIfAbsent(repo, _ -> new TreeMap<>()).put(path, fingerprint);
    }

    void forget(String repo, TreePath path) {
        of(repo).remove(path);
    }
}
