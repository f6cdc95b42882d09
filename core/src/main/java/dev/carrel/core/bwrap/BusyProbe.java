package dev.carrel.core.bwrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The proof that an upper layer is mounted nowhere. Mounting one upper twice is undefined behaviour
 * that the kernel only logs; with {@code index=on} it refuses a work directory that anything still
 * pins.
 */
public final class BusyProbe {

    /** What mount(8) says, in the C locale, when the work directory is in use. */
    public static final String BUSY = "busy";

    private BusyProbe() {}

    /**
     * The words to run; exit 0 means free.
     *
     * @param state a directory with {@code lower} and {@code upper}, both empty, and the work
     *     directory below it; bound to a fixed name, so that commas and colons in paths do no harm
     * @param work the work directory, relative to {@code state}
     */
    public static List<String> argv(Path bwrap, Path state, Path work, Path lower, Path upper) {
        String options =
                "lowerdir=/s/"
                        + lower
                        + ",upperdir=/s/"
                        + upper
                        + ",workdir=/s/"
                        + work
                        + ",userxattr,index=on";
        // Without DAC_OVERRIDE it fails on the kernel's own work/work, which has mode 000.
        List<String> words =
                new ArrayList<>(
                        List.of(
                                bwrap.toString(),
                                "--unshare-user",
                                "--uid",
                                "0",
                                "--gid",
                                "0",
                                "--cap-drop",
                                "ALL",
                                "--cap-add",
                                "CAP_SYS_ADMIN",
                                "--cap-add",
                                "CAP_DAC_OVERRIDE",
                                "--die-with-parent"));
        words.addAll(SystemPrograms.VIEW);
        words.addAll(List.of("--bind", state.toString(), "/s", "--dir", "/m", "--"));
        words.addAll(List.of("/usr/bin/mount", "-t", "overlay", "-o", options, "overlay", "/m"));
        return words;
    }
}
