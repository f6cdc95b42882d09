package dev.carrel.core.bwrap;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that holds a session's namespaces. Its own root is the view of the session, so that
 * nothing of the host is left behind it; commands copy that view.
 *
 * <p>It is uid 0 of its own user namespace, because mount(8) insists on that number when the script
 * makes the tree private; of its capabilities only the one for that call remains. It has no {@code
 * --die-with-parent}: it outlives the process that started it and ends when nobody uses the
 * session.
 */
public final class PauseOptions {

    /** Descriptor of the option file. */
    public static final int ARGS_DESCRIPTOR = 8;

    /** Descriptor of the file that receives the process number. */
    public static final int INFO_DESCRIPTOR = 7;

    /** Descriptor of the directory through which the pause and its users meet. */
    public static final int HOLD_DESCRIPTOR = 9;

    private static final List<String> DEVICES =
            List.of("null", "zero", "full", "random", "urandom", "tty");

    private PauseOptions() {}

    /** The options for a view; {@code bwrap} becomes visible at {@link #bwrapInside}. */
    public static Options of(List<Mount> view, Path bwrap, String token, boolean ownNetwork) {
        List<String> words = new ArrayList<>(List.of("--unshare-user", "--uid", "0", "--gid", "0"));
        if (ownNetwork) {
            words.add("--unshare-net");
        }
        words.addAll(List.of("--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"));
        List<Mount> mounts = new ArrayList<>(view);
        mounts.add(new Mount.ReadOnly(bwrap, SandboxPath.of(bwrapInside(token))));
        mounts.add(new Mount.Device(Path.of("/proc"), SandboxPath.of("/proc")));
        mounts.add(new Mount.Tmpfs(SandboxPath.of("/dev"), 65_536, 0755));
        for (String device : DEVICES) {
            mounts.add(new Mount.Device(Path.of("/dev", device), SandboxPath.of("/dev/" + device)));
        }
        words.addAll(MountOptions.of(mounts));
        words.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/"));
        return new Options(words);
    }

    /**
     * Where bubblewrap itself stands inside the view. The token is random per session: a join of a
     * recycled process number finds no such file, and every process of a session can be found by
     * this string in its mount table.
     */
    public static String bwrapInside(String token) {
        return SandboxPath.CARREL + "/" + token + "/bwrap";
    }

    /**
     * A word of every process on the way to a pause. A start can be found by it before it has a
     * mount table of its own.
     */
    public static String mark(String token) {
        return SandboxPath.CARREL + "/" + token + "/pause";
    }

    /** The words to run, without the stage that opens the descriptors. */
    public static List<String> argv(Path bwrap, String token, boolean ownNetwork) {
        return List.of(
                bwrap.toString(),
                "--args",
                Integer.toString(ARGS_DESCRIPTOR),
                "--info-fd",
                Integer.toString(INFO_DESCRIPTOR),
                "--",
                "/bin/sh",
                "-c",
                PauseScript.FIRST,
                mark(token),
                network(ownNetwork));
    }

    /** The words of a replacement, which enters the view through another process. */
    public static List<String> replacement(Identity identity, Joining joining, String token) {
        List<String> words = new ArrayList<>(joining.words(identity));
        words.addAll(
                List.of(
                        "/bin/sh",
                        "-c",
                        PauseScript.REPLACEMENT,
                        mark(token),
                        network(joining.ownNetwork())));
        return words;
    }

    private static String network(boolean own) {
        return own ? PauseScript.OWN_NETWORK : "host-network";
    }
}
