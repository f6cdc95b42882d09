package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.Options;
import dev.carrel.core.bwrap.PauseOptions;
import dev.carrel.core.policy.Mount;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What the sandbox of a session shows.
 *
 * @param mounts everything, in order
 * @param works the work directories of its overlays, which must be mounted nowhere else
 * @param ownNetwork whether its network is its own; else it is the host's
 */
public record View(List<Mount> mounts, List<Path> works, boolean ownNetwork) {

    public View {
        mounts = List.copyOf(mounts);
        works = List.copyOf(works);
    }

    /** A view with a network of its own, whose work directories are those of its overlays. */
    public static View of(List<Mount> mounts) {
        return new View(
                mounts,
                mounts.stream()
                        .filter(Mount.Overlay.class::isInstance)
                        .map(mount -> ((Mount.Overlay) mount).work())
                        .toList(),
                true);
    }

    /** The same with the network of the host. */
    public View withHostNetwork() {
        return new View(mounts, works, false);
    }

    Options options(Path bwrap, String token) {
        return PauseOptions.of(mounts, bwrap, token, ownNetwork);
    }

    /** Equal for equal views: a pause that stages another view cannot serve this one. */
    static String fingerprint(Options options) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(options.fileContent());
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
