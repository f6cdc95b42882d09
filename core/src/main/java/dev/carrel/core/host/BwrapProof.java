package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a trusted bwrap can really do. Distributions carry fixes under old version numbers and a
 * number proves nothing, so options and behaviour are tried; only the outcome counts, never the
 * text of a message.
 */
record BwrapProof(Path bwrap, ProcessRunner runner) {

    private static final Pattern VERSION = Pattern.compile("bubblewrap (\\d+\\.\\d+(?:\\.\\d+)?)");

    private static final String INSTALL =
            "install bubblewrap 0.12 or newer; 'make build' in Carrel's source tree builds it";

    /** What a trial showed. */
    sealed interface Outcome {
        /** All a session needs. */
        record Proven(String version) implements Outcome {}

        /** Not usable; the reason can follow the program's name. */
        record Refused(String reason, String remedy) implements Outcome {}
    }

    /** What becomes of a mount point below a link that leads out. */
    private enum ThroughLink {
        REFUSED,
        MADE,
        /** Not even one below a plain directory is made. */
        NOTHING_WORKS
    }

    Outcome tryAll() throws InterruptedException {
        Optional<String> version = version();
        if (version.isEmpty()) {
            return new Outcome.Refused("does not answer --version as bubblewrap does", INSTALL);
        }
        if (!knowsOptions()) {
            return new Outcome.Refused(
                    calledItself(version.get()) + " lacks overlays (--overlay-src)", INSTALL);
        }
        ProcessResult start = sandbox().run(List.of(), "/usr/bin/true");
        if (!start.succeeded()) {
            UserNamespaces.Explanation why = UserNamespaces.explain(bwrap, start, runner);
            return new Outcome.Refused("cannot start a sandbox: " + why.cause(), why.remedy());
        }
        return switch (throughLink()) {
            case REFUSED -> new Outcome.Proven(version.get());
            case MADE ->
                    new Outcome.Refused(
                            calledItself(version.get())
                                    + " lacks the fix of CVE-2026-87766: a symbolic link in a"
                                    + " repository makes it create files on the host",
                            INSTALL);
            case NOTHING_WORKS ->
                    new Outcome.Refused(
                            calledItself(version.get())
                                    + " does not do what bubblewrap does: a directory that it was"
                                    + " told to make in a bound one is not there",
                            INSTALL);
        };
    }

    /** Its behaviour decides; the number is for those who wonder. */
    private static String calledItself(String version) {
        return "(which calls itself " + version + ")";
    }

    private Optional<String> version() throws InterruptedException {
        ProcessResult result = bare("--version");
        Matcher matcher = VERSION.matcher(result.outputText().strip());
        return result.succeeded() && matcher.matches()
                ? Optional.of(matcher.group(1))
                : Optional.empty();
    }

    /**
     * {@code --version} ends the program when it is reached, after all options before it parsed.
     */
    private boolean knowsOptions() throws InterruptedException {
        return bare(
                        "--disable-userns",
                        "--size",
                        "4096",
                        "--tmpfs",
                        "/t",
                        "--perms",
                        "0755",
                        "--dir",
                        "/d",
                        "--overlay-src",
                        "/",
                        "--overlay",
                        "/u",
                        "/w",
                        "/o",
                        "--version")
                .succeeded();
    }

    private ProcessResult bare(String... options) throws InterruptedException {
        List<String> argv = new ArrayList<>(List.of(bwrap.toString()));
        argv.addAll(List.of(options));
        return runner.run(Command.of(argv).withEnvironment(Map.of("LC_ALL", "C")));
    }

    private ScratchSandbox sandbox() {
        return new ScratchSandbox(bwrap, Optional.empty(), runner);
    }

    /**
     * Below a directory of the sandbox lies a link to {@code /oldroot}, where bwrap keeps the host
     * while it builds the view. A mount point below the link must be refused and must not appear on
     * the host. The control shows that a mount point below a plain directory does appear.
     */
    private ThroughLink throughLink() throws InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path victim = Files.createDirectory(scratch.path().resolve("victim"));
            Path tree = Files.createDirectory(scratch.path().resolve("tree"));
            Path plain = Files.createDirectory(tree.resolve("plain"));
            Files.createSymbolicLink(tree.resolve("evil"), Path.of("/oldroot" + victim));
            boolean control =
                    below(tree, "/w/plain/made").succeeded()
                            && Files.isDirectory(plain.resolve("made"));
            if (!control) {
                return ThroughLink.NOTHING_WORKS;
            }
            boolean refused = !below(tree, "/w/evil/made").succeeded();
            return refused && !Files.exists(victim.resolve("made"))
                    ? ThroughLink.REFUSED
                    : ThroughLink.MADE;
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot prepare the trial of " + bwrap + ": " + e.getMessage(), null, e);
        }
    }

    private ProcessResult below(Path tree, String target) throws InterruptedException {
        return sandbox()
                .run(List.of("--bind", tree.toString(), "/w", "--dir", target), "/usr/bin/true");
    }
}
