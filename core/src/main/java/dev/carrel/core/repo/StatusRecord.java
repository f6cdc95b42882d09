package dev.carrel.core.repo;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.TreePath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One record of {@code git status --porcelain=v2 -z}.
 *
 * @param isDirectory whether it is a nested repository, which git lists as one entry
 */
record StatusRecord(TreePath path, boolean inCommit, boolean isDirectory) {

    private static final String NO_FILE = "000000";
    private static final int CHANGED_FIELDS = 8;
    private static final int UNMERGED_FIELDS = 10;
    private static final int MODE_IN_HEAD = 3;
    private static final int MODE_OF_OURS = 4; // stage 2

    static StatusRecord parse(byte[] record) {
        return switch (record[0]) {
            case '?', '!' -> untracked(Arrays.copyOfRange(record, 2, record.length));
            case '1' -> tracked(record, CHANGED_FIELDS, MODE_IN_HEAD);
            case 'u' -> tracked(record, UNMERGED_FIELDS, MODE_OF_OURS);
            default ->
                    throw new HostOperationException(
                            "git status printed a record that is not known: "
                                    + new String(record, StandardCharsets.UTF_8));
        };
    }

    static StatusRecord untracked(byte[] name) {
        boolean directory = name[name.length - 1] == '/';
        byte[] path = directory ? Arrays.copyOf(name, name.length - 1) : name;
        return new StatusRecord(TreePath.ofBytes(path), false, directory);
    }

    private static StatusRecord tracked(byte[] record, int fields, int modeField) {
        int start = 0;
        String mode = NO_FILE;
        for (int field = 0; field < fields; field++) {
            int end = start;
            while (record[end] != ' ') {
                end++;
            }
            if (field == modeField) {
                mode = new String(record, start, end - start, StandardCharsets.US_ASCII);
            }
            start = end + 1;
        }
        TreePath path = TreePath.ofBytes(Arrays.copyOfRange(record, start, record.length));
        return new StatusRecord(path, !mode.equals(NO_FILE), false);
    }
}
