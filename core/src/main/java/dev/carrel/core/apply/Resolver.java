package dev.carrel.core.apply;

import dev.carrel.core.apply.Judge.Judged;
import dev.carrel.core.merge.MergeResult;
import dev.carrel.core.merge.MergedChange;
import dev.carrel.core.merge.MergedChange.Merged;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.repo.FileMode;
import dev.carrel.core.tree.TreePath;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Turns what git merged into what the host gets: adds what git does not know. */
final class Resolver {

    private final ModeMatch modes;
    private final Map<TreePath, Sides> sides;
    private final Map<TreePath, Judged> items;
    private final MergeResult result;
    private final Map<TreePath, MergedChange> changes = new HashMap<>();

    Resolver(
            ModeMatch modes,
            Map<TreePath, Sides> sides,
            Map<TreePath, Judged> items,
            MergeResult result) {
        this.modes = modes;
        this.sides = sides;
        this.items = items;
        this.result = result;
        result.changes().forEach(change -> changes.put(change.path(), change));
    }

    /** Empty where the permission bits contradict each other. */
    Optional<Resolution> resolve(TreePath path) {
        Sides here = sides(path);
        MergedChange change = changes.get(path);
        if (change == null) {
            return here.host().isEmpty()
                    ? resolution(path, new Resolution.Outcome.AsHost())
                    : kept(path, here.host().get());
        }
        if (change.after().isEmpty()) {
            return resolution(path, new Resolution.Outcome.Gone());
        }
        return put(path, change.after().get());
    }

    private Optional<Resolution> kept(TreePath path, MergeSide host) {
        if (!(host.entry() instanceof Entry.RegularFile file)) {
            return resolution(path, new Resolution.Outcome.AsHost());
        }
        OptionalInt mode = mode(path, file.isExecutable());
        if (mode.isEmpty()) {
            return Optional.empty();
        }
        return resolution(
                path,
                mode.getAsInt() == host.mode()
                        ? new Resolution.Outcome.AsHost()
                        : new Resolution.Outcome.Mode(mode.getAsInt()));
    }

    private Optional<Resolution> put(TreePath path, Merged merged) {
        Optional<byte[]> content =
                merged instanceof Merged.Content(FileMode _, byte[] bytes)
                        ? Optional.of(bytes)
                        : Optional.empty();
        if (merged.mode() == FileMode.LINK) {
            byte[] text = content.orElseGet(() -> session(path).blob().read());
            return resolution(
                    path,
                    new Resolution.Outcome.Put(
                            new Entry.Link(text),
                            Operation.Source.MERGED,
                            new Material.FromTree()));
        }
        OptionalInt mode = mode(path, merged.mode() == FileMode.EXECUTABLE);
        if (mode.isEmpty()) {
            return Optional.empty();
        }
        long size = content.map(bytes -> (long) bytes.length).orElseGet(() -> session(path).size());
        Material material =
                content.<Material>map(bytes ->
                                new Material.Merged(
                                        bytes, sides(path).session().map(s -> s.blob().read())))
                        .orElseGet(Material.FromTree::new);
        return resolution(
                path,
                new Resolution.Outcome.Put(
                        new Entry.RegularFile(mode.getAsInt(), size),
                        content.isPresent() ? Operation.Source.MERGED : source(path),
                        material));
    }

    private Operation.Source source(TreePath path) {
        Judged judged = items.get(path);
        return judged == null ? Operation.Source.BASE : judged.item().source();
    }

    private MergeSide session(TreePath path) {
        return sides(path).session().orElseThrow();
    }

    private Sides sides(TreePath path) {
        Sides found = sides.get(path);
        if (found == null) {
            throw new IllegalStateException("the merge did not know '" + path + "'");
        }
        return found;
    }

    private Optional<Resolution> resolution(TreePath path, Resolution.Outcome outcome) {
        return Optional.of(new Resolution(path, sides(path).found(), outcome, memory(path)));
    }

    /** What the user's own renaming made is never remembered as the session's. */
    private Memory memory(TreePath path) {
        Judged judged = items.get(path);
        if (judged == null) {
            return new Memory.Unchanged();
        }
        if (judged.item().isTakenBack()) {
            return Memory.forgotten();
        }
        return sides(path)
                .session()
                .<Memory>map(side -> new Memory.Merged(print(side)))
                .orElseGet(Memory.AsWritten::new);
    }

    private static Fingerprint print(MergeSide side) {
        byte[] content = side.blob().read();
        return side.blob().mode() == FileMode.LINK
                ? Fingerprint.link(content)
                : Fingerprint.file(side.mode(), Fingerprint.digest(content));
    }

    private OptionalInt mode(TreePath path, boolean executable) {
        TreePath origin = origin(path);
        OptionalInt host = bits(path, origin, Sides::host);
        OptionalInt session = bits(path, origin, Sides::session);
        OptionalInt base = bits(path, origin, Sides::base);
        OptionalInt merged;
        if (host.isEmpty() || session.isEmpty()) {
            merged = host.isPresent() ? host : session;
        } else {
            Optional<Integer> old =
                    base.isPresent() ? Optional.of(base.getAsInt()) : Optional.empty();
            merged = ModeMerge.of(modes, old, host.getAsInt(), session.getAsInt());
        }
        return merged.isPresent()
                ? OptionalInt.of(ModeMerge.withExecutable(merged.getAsInt(), executable))
                : merged;
    }

    /** The old name of what one of the sides renamed. */
    private TreePath origin(TreePath path) {
        TreePath bySession = result.sessionRenames().get(path);
        TreePath byHost = result.hostRenames().get(path);
        if (bySession != null) {
            return bySession;
        }
        return byHost == null ? path : byHost;
    }

    private OptionalInt bits(
            TreePath path, TreePath origin, Function<Sides, Optional<MergeSide>> side) {
        Optional<MergeSide> here = side.apply(sides(path));
        Optional<MergeSide> there =
                sides.containsKey(origin) ? side.apply(sides(origin)) : Optional.empty();
        return here.or(() -> there)
                .filter(found -> found.entry() instanceof Entry.RegularFile)
                .map(found -> OptionalInt.of(found.mode()))
                .orElseGet(OptionalInt::empty);
    }
}
