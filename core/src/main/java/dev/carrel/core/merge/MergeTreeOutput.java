package dev.carrel.core.merge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.carrel.core.tree.TreePath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What {@code git merge-tree --write-tree -z} prints: the tree; with conflicts also the stages of
 * the files in conflict up to an empty item, then messages: how many paths, the paths, the type,
 * the text.
 *
 * @param tree the merged tree, with conflict markers where there are conflicts
 */
record MergeTreeOutput(String tree, List<MergeConflict> conflicts) {

    private static final String CONFLICT = "CONFLICT";

    static MergeTreeOutput parse(List<byte[]> items) {
        String tree = text(items.getFirst());
        Set<TreePath> staged = new HashSet<>();
        int next = 1;
        while (next < items.size() && items.get(next).length > 0) {
            staged.add(staged(items.get(next)));
            next++;
        }
        next++;
        List<MergeConflict> conflicts = new ArrayList<>();
        while (next < items.size()) {
            int count = Integer.parseInt(text(items.get(next)));
            List<TreePath> paths = new ArrayList<>();
            for (byte[] path : items.subList(next + 1, next + 1 + count)) {
                paths.add(TreePath.ofBytes(path));
            }
            String type = text(items.get(next + 1 + count));
            if (type.startsWith(CONFLICT)) {
                conflicts.add(new MergeConflict(MergeConflict.Kind.of(type), paths));
                paths.forEach(staged::remove);
            }
            next += count + 3;
        }
        // What is staged is in conflict, whatever the messages say.
        staged.forEach(
                path -> conflicts.add(new MergeConflict(MergeConflict.Kind.OTHER, List.of(path))));
        return new MergeTreeOutput(tree, conflicts);
    }

    /** Mode, object and stage, a tab, the path. */
    private static TreePath staged(byte[] item) {
        String line = text(item);
        return TreePath.ofBytes(line.substring(line.indexOf('\t') + 1).getBytes(ISO_8859_1));
    }

    private static String text(byte[] item) {
        return new String(item, ISO_8859_1);
    }
}
