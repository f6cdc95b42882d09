package dev.carrel.core.apply;

import dev.carrel.core.store.JsonObject;
import dev.carrel.core.tree.TreePath;
import java.util.Optional;

/**
 * One place that an apply changed, with what taking it back needs.
 *
 * @param after what the apply left there
 * @param known what was remembered of the place before
 */
record Undoable(
        String repo, TreePath path, Before before, Fingerprint after, Optional<Applied> known) {

    /** What was there before. */
    sealed interface Before {
        /** Nothing. */
        record Nothing() implements Before {}

        /**
         * A file or link, which is kept.
         *
         * @param number its name in the directory for undoing
         */
        record Kept(int number) implements Before {}

        /** A directory, which was empty when it was removed. */
        record Directory(int mode, Optional<Owner> owner) implements Before {}

        /** The same with other permission bits. */
        record Mode(int mode) implements Before {}
    }

    JsonObject toJson() {
        JsonObject.Builder json =
                JsonObject.builder()
                        .put("repo", repo)
                        .put("path", ByteText.of(path))
                        .put("after", after.text());
        switch (before) {
            case Before.Nothing _ -> json.put("before", "nothing");
            case Before.Kept(int number) -> json.put("before", "kept").put("number", number);
            case Before.Directory(int mode, Optional<Owner> owner) -> {
                json.put("before", "directory").put("mode", mode);
                owner.ifPresent(o -> json.put("uid", o.uid()).put("gid", o.gid()));
            }
            case Before.Mode(int mode) -> json.put("before", "mode").put("mode", mode);
        }
        known.ifPresent(applied -> applied.write(json));
        return json.build();
    }

    static Undoable fromJson(JsonObject json) {
        Before before =
                switch (json.string("before")) {
                    case "nothing" -> new Before.Nothing();
                    case "kept" -> new Before.Kept(json.smallInteger("number"));
                    case "directory" ->
                            new Before.Directory(json.smallInteger("mode"), Owner.fromJson(json));
                    case "mode" -> new Before.Mode(json.smallInteger("mode"));
                    default -> throw new IllegalStateException("before " + json.string("before"));
                };
        return new Undoable(
                json.string("repo"),
                ByteText.path(json.string("path")),
                before,
                new Fingerprint(json.string("after")),
                json.has("fingerprint") ? Optional.of(Applied.fromJson(json)) : Optional.empty());
    }
}
