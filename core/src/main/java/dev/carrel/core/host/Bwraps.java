package dev.carrel.core.host;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.process.ProcessRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the bubblewrap that sessions use: the one named by {@value #VARIABLE}, else Carrel's own,
 * else one on the PATH. Each candidate is judged (regular file, of root or the caller, not setuid,
 * nothing on its path writable by others) before it is run, then tried.
 */
public final class Bwraps {

    /** Names the program explicitly; if that one is not usable, no other is tried. */
    public static final String VARIABLE = "CARREL_BWRAP";

    private static final String INSTALL =
            "install bubblewrap 0.12 or newer; 'make build' in Carrel's source tree builds it";

    private final Caller caller;
    private final Optional<Path> carrelHome;
    private final ProofCache cache;
    private final ProcessRunner runner;

    /**
     * A search.
     *
     * @param carrelHome the installation folder, whose {@code libexec/bwrap} is looked at
     * @param cacheFile where proofs are remembered; its folder is private to the caller
     */
    public Bwraps(
            Caller caller,
            Optional<Path> carrelHome,
            Optional<Path> cacheFile,
            ProcessRunner runner) {
        this.caller = caller;
        this.carrelHome = carrelHome;
        this.cache = new ProofCache(cacheFile, caller);
        this.runner = runner;
    }

    /**
     * The program to use.
     *
     * @throws UnsupportedHostException if there is none, with the reason for each candidate
     */
    public BwrapProgram find() throws InterruptedException {
        String explicit = caller.environment().getOrDefault(VARIABLE, "");
        if (!explicit.isEmpty()) {
            return judgeExplicit(explicit);
        }
        List<String> reasons = new ArrayList<>();
        List<String> remedies = new ArrayList<>();
        for (Path candidate : candidates()) {
            switch (judge(candidate)) {
                case Verdict.Usable(BwrapProgram program) -> {
                    return program;
                }
                case Verdict.Missing() -> {}
                case Verdict.Bad(String reason, String remedy) -> {
                    reasons.add(candidate + " " + reason);
                    remedies.add(remedy);
                }
            }
        }
        if (reasons.isEmpty()) {
            throw new UnsupportedHostException("bubblewrap (bwrap) is not installed", INSTALL);
        }
        throw new UnsupportedHostException(
                "no usable bubblewrap: " + String.join("; ", reasons), remedies.getFirst());
    }

    private BwrapProgram judgeExplicit(String value) throws InterruptedException {
        if (!value.startsWith("/")) {
            throw new UnsupportedHostException(
                    VARIABLE + "='" + value + "' is not an absolute path",
                    "set it to an absolute path, or unset it");
        }
        return switch (judge(Path.of(value))) {
            case Verdict.Usable(BwrapProgram program) -> program;
            case Verdict.Missing() ->
                    throw new UnsupportedHostException(
                            VARIABLE + "='" + value + "' does not exist",
                            "set it to a bubblewrap 0.12 or newer, or unset it");
            case Verdict.Bad(String reason, String remedy) ->
                    throw new UnsupportedHostException(
                            VARIABLE + "=" + value + " " + reason, remedy);
        };
    }

    private Set<Path> candidates() {
        Set<Path> candidates = new LinkedHashSet<>();
        carrelHome.ifPresent(home -> candidates.add(home.resolve("libexec/bwrap")));
        caller.path().forEach(directory -> candidates.add(directory.resolve("bwrap")));
        candidates.add(Path.of("/usr/bin/bwrap"));
        return candidates;
    }

    private Verdict judge(Path candidate) throws InterruptedException {
        HostFiles files = new LiveFiles();
        Optional<Path> resolved = files.resolve(candidate.toAbsolutePath());
        if (resolved.isEmpty()) {
            return new Verdict.Missing();
        }
        Path program = resolved.get();
        Optional<String> distrust = new BwrapTrust(files, caller).problem(program);
        if (distrust.isPresent()) {
            return new Verdict.Bad(
                    distrust.get() + ", so it is not run",
                    "make it and every folder above it writable by root or you alone, without"
                            + " setuid; or "
                            + INSTALL);
        }
        Optional<String> remembered = cache.version(program);
        if (remembered.isPresent()) {
            return new Verdict.Usable(new BwrapProgram(program, remembered.get()));
        }
        return switch (new BwrapProof(program, runner).tryAll()) {
            case BwrapProof.Outcome.Proven(String version) -> {
                cache.remember(program, version);
                yield new Verdict.Usable(new BwrapProgram(program, version));
            }
            case BwrapProof.Outcome.Refused(String reason, String remedy) ->
                    new Verdict.Bad(reason, remedy);
        };
    }

    private sealed interface Verdict {
        record Usable(BwrapProgram program) implements Verdict {}

        record Missing() implements Verdict {}

        record Bad(String reason, String remedy) implements Verdict {}
    }
}
