package dev.carrel.core.session;

import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.snapshot.Base;
import dev.carrel.core.snapshot.BaseMethod;
import dev.carrel.core.snapshot.ObjectMount;
import dev.carrel.core.store.JsonArray;
import dev.carrel.core.store.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A repository in {@code session.json}. */
final class RepoFormat {

    private RepoFormat() {}

    static JsonObject write(RepoRecord repo) {
        Base base = repo.base();
        return JsonObject.builder()
                .put("name", repo.name())
                .put("root", repo.root().toString())
                .put("kind", repo.kind().toString())
                .put("generation", repo.generation())
                .putStrings("lowers", base.lowers().stream().map(Path::toString).toList())
                .putObjects(
                        "gitObjects", base.gitObjects().stream().map(RepoFormat::write).toList())
                .put("commit", base.commit())
                .put("branch", base.branch())
                .put("sharedSnapshot", base.sharedSnapshot().map(Path::toString))
                .put("hiddenRef", base.hiddenRef())
                .put("method", base.method().name())
                .put("manifest", base.manifest().map(Path::toString))
                .put("index", base.index().map(Path::toString))
                .putObjects("hidden", repo.hidden().stream().map(RepoFormat::write).toList())
                .build();
    }

    static RepoRecord read(JsonObject json) {
        Base base =
                new Base(
                        json.strings("lowers").stream().map(Path::of).toList(),
                        json.objects("gitObjects").stream().map(RepoFormat::objects).toList(),
                        json.optString("commit"),
                        json.optString("branch"),
                        path(json, "sharedSnapshot"),
                        json.optString("hiddenRef"),
                        BaseMethod.valueOf(json.string("method")),
                        path(json, "manifest"),
                        path(json, "index"),
                        List.of());
        return new RepoRecord(
                json.string("name"),
                Path.of(json.string("root")),
                RepoKind.named(json.string("kind")),
                base,
                json.smallInteger("generation"),
                json.optArray("hidden").map(JsonArray::objects).orElse(List.of()).stream()
                        .map(RepoFormat::hidden)
                        .toList());
    }

    private static Optional<Path> path(JsonObject json, String name) {
        return json.optString(name).map(Path::of);
    }

    private static JsonObject write(ObjectMount mount) {
        return JsonObject.builder()
                .put("host", mount.host().toString())
                .put("inside", mount.inside().toString())
                .put("hideAlternates", mount.hideAlternates())
                .build();
    }

    private static JsonObject write(HiddenPath hidden) {
        return JsonObject.builder()
                .put("entry", hidden.entry())
                .put("path", hidden.path())
                .put("directory", hidden.directory())
                .build();
    }

    private static HiddenPath hidden(JsonObject json) {
        return new HiddenPath(json.string("entry"), json.string("path"), json.bool("directory"));
    }

    private static ObjectMount objects(JsonObject json) {
        return new ObjectMount(
                Path.of(json.string("host")),
                SandboxPath.of(json.string("inside")),
                json.bool("hideAlternates"));
    }
}
