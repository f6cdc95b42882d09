package dev.carrel.core.apply;

import dev.carrel.core.store.JsonObject;
import dev.carrel.core.tree.FileStatus;
import java.util.Optional;

/**
 * One operation as the journal has it, with all that finishing and undoing need.
 *
 * @param number unique in its journal; names the staged and the moved-away entry
 * @param repo the index of the repository in the journal
 * @param present what is moved away, so that nothing else is
 * @param digest SHA-256 of what is put in place
 */
record Task(
        int number,
        int repo,
        Operation operation,
        Optional<String> present,
        Optional<Owner> owner,
        Optional<String> digest) {

    /** What tells an entry of the host from a later version of it; renaming keeps all of it. */
    static String identity(FileStatus status) {
        return status.type()
                + ":"
                + status.deviceId()
                + ":"
                + status.inode()
                + ":"
                + status.size()
                + ":"
                + status.modified()
                + ":"
                + status.mode();
    }

    /** Whether the entry is prepared in the staging directory and then moved into place. */
    boolean isStaged() {
        return switch (operation) {
            case Operation.Write _, Operation.Link _, Operation.MakeDirectory _ -> true;
            case Operation.ChangeMode _, Operation.Remove _, Operation.RemoveDirectory _ -> false;
        };
    }

    Task withDigest(String found) {
        return new Task(number, repo, operation, present, owner, Optional.of(found));
    }

    JsonObject toJson() {
        JsonObject.Builder json =
                JsonObject.builder()
                        .put("number", number)
                        .put("repo", repo)
                        .put("path", ByteText.of(operation.path()));
        switch (operation) {
            case Operation.Write write ->
                    json.put("do", "write")
                            .put("mode", write.mode())
                            .put("source", write.source().name())
                            .put("replaces", write.replaces());
            case Operation.Link link ->
                    json.put("do", "link")
                            .put("target", ByteText.of(link.target()))
                            .put("replaces", link.replaces());
            case Operation.MakeDirectory make ->
                    json.put("do", "make-directory").put("mode", make.mode());
            case Operation.ChangeMode change ->
                    json.put("do", "change-mode").put("from", change.from()).put("to", change.to());
            case Operation.Remove _ -> json.put("do", "remove");
            case Operation.RemoveDirectory remove ->
                    json.put("do", "remove-directory").put("mode", remove.mode());
        }
        json.put("present", present).put("digest", digest);
        owner.ifPresent(o -> json.put("uid", o.uid()).put("gid", o.gid()));
        return json.build();
    }

    static Task fromJson(JsonObject json) {
        return new Task(
                json.smallInteger("number"),
                json.smallInteger("repo"),
                operation(json),
                json.optString("present"),
                Owner.fromJson(json),
                json.optString("digest"));
    }

    private static Operation operation(JsonObject json) {
        var path = ByteText.path(json.string("path"));
        return switch (json.string("do")) {
            case "write" ->
                    new Operation.Write(
                            path,
                            json.smallInteger("mode"),
                            Operation.Source.valueOf(json.string("source")),
                            json.bool("replaces"));
            case "link" ->
                    new Operation.Link(
                            path, ByteText.bytes(json.string("target")), json.bool("replaces"));
            case "make-directory" -> new Operation.MakeDirectory(path, json.smallInteger("mode"));
            case "change-mode" ->
                    new Operation.ChangeMode(
                            path, json.smallInteger("from"), json.smallInteger("to"));
            case "remove" -> new Operation.Remove(path);
            case "remove-directory" ->
                    new Operation.RemoveDirectory(path, json.smallInteger("mode"));
            default -> throw new IllegalStateException("operation " + json.string("do"));
        };
    }
}
