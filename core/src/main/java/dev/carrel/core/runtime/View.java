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
 */
public record View(List<Mount> mounts, List<Path> works) {

    public View {
        mounts = List.copyOf(mounts);
        works = List.copyOf(works);
    }

    /** A view whose work directories are those of its overlays. */
    public static View of(List<Mount> mounts) {
        return new View(
                mounts,
                mounts.stream()
                        .filter(Mount.Overlay.class::isInstance)
                        .map(mount -> ((Mount.Overlay) mount).work())
                        .toList());
    }

    Options options(Path bwrap, String token) {
        return PauseOptions.of(mounts, bwrap, token);
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
