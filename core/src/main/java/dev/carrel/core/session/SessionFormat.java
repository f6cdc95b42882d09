package dev.carrel.core.session;

import dev.carrel.core.failure.BrokenStoreException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.session.SessionRecord.MountRecord;
import dev.carrel.core.session.SessionRecord.Phase;
import dev.carrel.core.store.Json;
import dev.carrel.core.store.JsonObject;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * {@code session.json}. Members are only added; a reader tolerates those it does not know, and
 * refuses a newer version.
 */
final class SessionFormat {

    private static final int VERSION = 2;

    /** What knows of no other mode must not take a session of it for one with repositories. */
    private static final int WITHOUT_MODES = 1;

    private SessionFormat() {}

    static JsonObject write(SessionRecord record) {
        return JsonObject.builder()
                .put("version", version(record.policy().view()))
                .put("id", record.id().value())
                .put("name", record.name())
                .put("created", record.created().toString())
                .put("token", record.token())
                .put("identity", write(record.identity()))
                .put("policy", PolicyFormat.write(record.policy()))
                .put("tools", ToolsFormat.write(record.tools()))
                .putObjects("repos", record.repos().stream().map(RepoFormat::write).toList())
                .putObjects("mounts", record.mounts().stream().map(SessionFormat::write).toList())
                .put("phase", write(record.phase()))
                .build();
    }

    private static int version(ViewMode mode) {
        return switch (mode) {
            case ViewMode.Overlay() -> WITHOUT_MODES;
            case ViewMode.HostReadonly _ -> VERSION;
        };
    }

    static SessionRecord read(Path file) {
        return parse(Json.content(file), file);
    }

    /** The record in the text of a file. */
    static SessionRecord parse(byte[] text, Path file) {
        JsonObject json = Json.own(text, file);
        if (json.integer("version") > VERSION) {
            throw new BrokenStoreException(
                    file
                            + " was written by a newer Carrel (format "
                            + json.integer("version")
                            + ")",
                    "Use that version, or a newer one.");
        }
        try {
            return RecordCheck.checked(record(json, file), file);
        } catch (DateTimeException | IllegalArgumentException | InvalidInputException e) {
            // Valid JSON, but no date, path or number where one has to be.
            throw new BrokenStoreException(
                    file + " is no record of a session: " + e.getMessage(), null, e);
        }
    }

    private static SessionRecord record(JsonObject json, Path file) {
        return new SessionRecord(
                new SessionId(json.string("id")),
                json.optString("name"),
                Instant.parse(json.string("created")),
                json.string("token"),
                identity(json.object("identity")),
                PolicyFormat.read(json.object("policy")),
                ToolsFormat.read(json.object("tools")),
                json.objects("repos").stream().map(RepoFormat::read).toList(),
                json.objects("mounts").stream()
                        .map(mount ->
                                new MountRecord(
                                        Path.of(mount.string("source")), mount.string("target")))
                        .toList(),
                phase(json.object("phase"), file));
    }

    private static JsonObject write(Identity identity) {
        return JsonObject.builder()
                .put("uid", identity.uid())
                .put("gid", identity.gid())
                .put("switched", identity.switched())
                .build();
    }

    private static Identity identity(JsonObject json) {
        return new Identity(
                json.smallInteger("uid"), json.smallInteger("gid"), json.bool("switched"));
    }

    private static JsonObject write(MountRecord mount) {
        return JsonObject.builder()
                .put("source", mount.source().toString())
                .put("target", mount.target())
                .build();
    }

    private static JsonObject write(Phase phase) {
        return switch (phase) {
            case Phase.Ready() -> JsonObject.builder().put("is", "ready").build();
            case Phase.Preparing(ProcessIdentity by) -> by("preparing", by);
            case Phase.Removing(ProcessIdentity by) -> by("removing", by);
        };
    }

    private static JsonObject by(String phase, ProcessIdentity process) {
        return JsonObject.builder()
                .put("is", phase)
                .put("pid", process.pid())
                .put("start", process.startTime())
                .build();
    }

    private static Phase phase(JsonObject json, Path file) {
        String is = json.string("is");
        return switch (is) {
            case "ready" -> new Phase.Ready();
            case "preparing" -> new Phase.Preparing(process(json));
            case "removing" -> new Phase.Removing(process(json));
            default ->
                    throw new BrokenStoreException(
                            file + ": '" + is + "' is no phase of a session");
        };
    }

    private static ProcessIdentity process(JsonObject json) {
        return new ProcessIdentity(json.integer("pid"), json.integer("start"));
    }
}
