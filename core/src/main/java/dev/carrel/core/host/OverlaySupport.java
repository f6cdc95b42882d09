package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether an overlay of a session can be mounted and does what it must, found by mounting one in a
 * throw-away sandbox. Nothing is left behind.
 */
public final class OverlaySupport {

    /** Needs what an overlay is for: delete, delete a folder and make it anew, create, rename. */
    private static final String EXERCISE =
            "cd /m && rm .carrel-file && rm -r .carrel-folder && mkdir .carrel-folder"
                    + " && : > .carrel-folder/new && test ! -e .carrel-folder/old"
                    + " && test ! -e .carrel-file && mv .carrel-folder/new .carrel-moved";

    private final ScratchSandbox sandbox;
    private final Identity identity;

    /** Overlays of sandboxes of this identity. */
    public OverlaySupport(BwrapProgram bwrap, Identity identity, ProcessRunner runner) {
        this.sandbox = new ScratchSandbox(bwrap.path(), Optional.of(identity), runner);
        this.identity = identity;
    }

    /**
     * Refuses a place where no overlay of a session could ever write, by what the mount table says.
     * It is quick, and for the time before anything is made; {@link #check} is the proof.
     *
     * @param place where uppers will lie; it need not exist yet
     * @throws UnsupportedHostException with cause and cure
     */
    public static void requirePlaceForUppers(Path place) {
        Path existing = place.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        try {
            OverlayRefusal.ofPlace(
                            existing.toRealPath(),
                            MountTable.read(new LiveFiles()),
                            hasUserAttributes(existing))
                    .ifPresent(refusal -> {
                        throw refusal;
                    });
        } catch (IOException e) {
            throw new HostOperationException("cannot look at '" + existing + "': " + e, null, e);
        }
    }

    /**
     * Mounts and exercises an overlay.
     *
     * @param upperParent an existing directory on the file system where uppers will lie
     * @param lowers what will be below, topmost first; may be empty
     * @throws UnsupportedHostException if it is refused or misbehaves, with the cause
     * @throws HostOperationException if the trial cannot be prepared
     */
    public void check(Path upperParent, List<Path> lowers) throws InterruptedException {
        try (OverlayScratch scratch = OverlayScratch.below(upperParent, identity)) {
            List<String> options = new ArrayList<>();
            lowers.reversed()
                    .forEach(lower -> options.addAll(List.of("--overlay-src", lower.toString())));
            options.addAll(scratch.mountOptions());
            ProcessResult result = sandbox.run(options, "/bin/sh", "-c", EXERCISE);
            if (!result.succeeded()) {
                throw refused(upperParent, lowers, scratch.path(), result);
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot try an overlay in '" + upperParent + "': " + e,
                    "make the directory writable and free some space",
                    e);
        }
    }

    private static UnsupportedHostException refused(
            Path upperParent, List<Path> lowers, Path scratch, ProcessResult result)
            throws IOException {
        List<Path> resolved = new ArrayList<>();
        for (Path lower : lowers) {
            resolved.add(lower.toRealPath());
        }
        String said = result.errorText().lines().findFirst().orElse("exit " + result.exit());
        return new OverlayRefusal(upperParent.toRealPath(), resolved, said)
                .explain(MountTable.read(new LiveFiles()), hasUserAttributes(scratch));
    }

    private static boolean hasUserAttributes(Path directory) throws IOException {
        return Files.getFileStore(directory).supportsFileAttributeView("user");
    }

    /**
     * Proves that the kernel tells whether an upper is still mounted somewhere: a second mount of
     * the same work directory with {@code index=on} is refused as long as the first lives.
     *
     * @throws UnsupportedHostException if the second mount is not refused, or is still refused
     *     after the first is gone
     */
    public void checkBusyProbe(Path upperParent) throws InterruptedException {
        try (OverlayScratch scratch = OverlayScratch.below(upperParent, identity)) {
            HeldSandbox held = HeldSandbox.start(sandbox, scratch.mountOptions());
            boolean whileHeld;
            try {
                whileHeld = mountsAgain(scratch);
            } finally {
                held.end();
            }
            if (whileHeld || !mountsAgain(scratch)) {
                throw new UnsupportedHostException(
                        "the kernel does not tell whether an overlay in '"
                                + upperParent
                                + "' is in use (index=on "
                                + (whileHeld ? "is not refused" : "stays refused")
                                + ")",
                        "use a kernel with CONFIG_OVERLAY_FS and its index feature, 5.11 or newer");
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot try an overlay in '" + upperParent + "': " + e, null, e);
        }
    }

    private boolean mountsAgain(OverlayScratch scratch) throws InterruptedException {
        String options =
                "lowerdir=/s/probe-lower,upperdir=/s/probe-upper,workdir=/s/work,userxattr,index=on";
        return sandbox.run(
                        List.of(
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
                                "--bind",
                                scratch.path().toString(),
                                "/s",
                                "--dir",
                                "/m"),
                        "mount",
                        "-t",
                        "overlay",
                        "-o",
                        options,
                        "overlay",
                        "/m")
                .succeeded();
    }
}
