package dev.carrel.core.overlay;

import dev.carrel.core.overlay.MergedDirectory.Found;
import dev.carrel.core.tree.FileStatus;
import dev.carrel.core.tree.FileType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Mode bits beyond the nine of permissions, which no change carries: set-user-ID would be a gift.
 */
final class SpecialBits {

    private static final int SET_USER = 04000;
    private static final int SET_GROUP = 02000;
    private static final int STICKY = 01000;

    private static final int ALL = SET_USER | SET_GROUP | STICKY;

    private SpecialBits() {}

    /**
     * Names what an entry has got in the session.
     *
     * @param holder the directory it lies in, which hands its set-group-ID bit on to others
     */
    static List<String> gained(FileStatus now, Found before, Supplier<FileStatus> holder) {
        if ((now.mode() & ALL) == 0) {
            return List.of();
        }
        int had =
                switch (before) {
                    case Found.Nothing() -> 0;
                    case Found.Leaf leaf -> leaf.status().mode();
                    case Found.Sub sub -> sub.status().mode();
                };
        if (now.type() == FileType.DIRECTORY) {
            had |= holder.get().mode() & SET_GROUP;
        }
        int gained = now.mode() & ~had;
        List<String> names = new ArrayList<>();
        if ((gained & SET_USER) != 0) {
            names.add("set-user-ID");
        }
        if ((gained & SET_GROUP) != 0) {
            names.add("set-group-ID");
        }
        if ((gained & STICKY) != 0) {
            names.add("sticky");
        }
        return names;
    }
}
