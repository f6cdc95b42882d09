package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.util.ArrayList;
import java.util.List;

/** What a sandbox sees. Decided when the session is made and kept with it. */
public sealed interface ViewMode {

    /** Copies of repositories under {@code /workspace}, and of the host its tool chains alone. */
    record Overlay() implements ViewMode {}

    /**
     * The whole host at its own paths, read-only.
     *
     * @param scratchOverlay whether the directory that the session was started in is writable; what
     *     is written goes with the session
     * @param exposeHostTmp whether the host's {@code /tmp} is shown at {@link #HOST_TMP}
     * @param unsharePid whether the host's processes are hidden; they can be neither signalled nor
     *     read in any case
     * @param mask places that are hidden besides those that are by default: absolute paths, or
     *     {@code ~/} and one below the caller's home
     * @param unmask places that are hidden by default, for the secrets in them, and shall be seen
     */
    record HostReadonly(
            boolean scratchOverlay,
            boolean exposeHostTmp,
            boolean unsharePid,
            List<String> mask,
            List<String> unmask)
            implements ViewMode {

        /** Every setting at its documented default. */
        public static final HostReadonly DEFAULT =
                new HostReadonly(true, true, false, List.of(), List.of());

        /** Where the host's {@code /tmp} is shown; {@code /tmp} is the session's own. */
        public static final SandboxPath HOST_TMP = SandboxPath.of("/tmp/host");

        /** HOME inside. The caller's stays at its own place, where nothing can be written. */
        public static final SandboxPath HOME = SandboxPath.of("/run/carrel-home");

        public HostReadonly {
            mask = List.copyOf(mask);
            unmask = List.copyOf(unmask);
            List<String> problems = new ArrayList<>();
            check("host_readonly.mask", mask, problems);
            check("host_readonly.unmask", unmask, problems);
            if (!problems.isEmpty()) {
                throw new InvalidInputException(problems, null);
            }
        }

        /** The same with more places that are hidden. */
        public HostReadonly hiding(List<String> more) {
            List<String> all = new ArrayList<>(mask);
            all.addAll(more);
            return new HostReadonly(scratchOverlay, exposeHostTmp, unsharePid, all, unmask);
        }

        private static void check(String key, List<String> places, List<String> problems) {
            for (String place : places) {
                if (!(place.startsWith("/") || place.startsWith("~/"))
                        || place.indexOf('\0') >= 0) {
                    problems.add(
                            key
                                    + ": "
                                    + Visible.quoted(place)
                                    + " is not an absolute path, or one that begins with ~/");
                }
            }
        }
    }

    /** The home directory of every sandboxed process. */
    default SandboxPath home() {
        return switch (this) {
            case Overlay() -> SandboxPath.HOME;
            case HostReadonly _ -> HostReadonly.HOME;
        };
    }
}
