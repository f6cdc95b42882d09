package dev.carrel.core.host;

import dev.carrel.core.failure.CarrelException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What can be tried without a sandbox. */
record MachineChecks(Caller caller, Path stateDirectory, ProcessRunner runner) {

    private static final long MEBIBYTE = 1024L * 1024;
    private static final long LITTLE_SPACE = 1024 * MEBIBYTE;
    private static final long NO_SPACE = 64 * MEBIBYTE;

    List<Check> all() throws InterruptedException {
        return List.of(platform(), kernel(), state(), space(), git(), svn(), cgroups(), locale());
    }

    private static Check platform() {
        return platform(System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    }

    /** Of a system and a processor as Java names them. */
    static Check platform(String found) {
        return switch (found) {
            case "Linux amd64" -> Check.ok("platform", found);
            case "Linux aarch64" ->
                    Check.warn(
                            "platform",
                            found
                                    + ": Carrel was not tested on such a machine, and its system"
                                    + " call filter in an interpreter only",
                            "use Linux x86-64 for what relies on the isolation");
            default -> Check.fail("platform", found, "use Carrel on Linux x86-64 or aarch64");
        };
    }

    private static Check kernel() {
        String version = System.getProperty("os.version", "");
        String[] numbers = version.split("[.-]", -1);
        boolean enough =
                numbers.length >= 2
                        && numbers[0].matches("\\d{1,4}")
                        && numbers[1].matches("\\d{1,4}")
                        && Integer.parseInt(numbers[0]) * 10_000 + Integer.parseInt(numbers[1])
                                >= 50_011;
        return enough
                ? Check.ok("kernel", version)
                : Check.fail(
                        "kernel",
                        version + " has no overlays for ordinary users",
                        "use Linux 5.11 or newer");
    }

    /** Nobody else may write where sessions lie: whoever can, decides what is applied. */
    private Check state() {
        HostFiles files = new LiveFiles();
        Path place = existing();
        Optional<HostFiles.Entry> entry = files.follow(place);
        if (entry.isEmpty() || !Files.isWritable(place)) {
            return Check.fail(
                    "state directory",
                    "'" + stateDirectory + "' cannot be used: '" + place + "' is not writable",
                    "make it writable, or set CARREL_WORKSPACES to another directory");
        }
        if (!place.equals(stateDirectory)) {
            return Check.ok("state directory", "'" + stateDirectory + "' will be made when needed");
        }
        HostFiles.Entry found = entry.get();
        if (found.uid() != caller.uid() || (found.mode() & 022) != 0) {
            return Check.fail(
                    "state directory",
                    "'%s' can be changed by others (owner %d, mode %04o)"
                            .formatted(place, found.uid(), found.mode()),
                    "chown " + caller.uid() + " '" + place + "' && chmod go-w '" + place + "'");
        }
        return Check.ok("state directory", "'%s', mode %04o".formatted(place, found.mode()));
    }

    /** The state directory, or the nearest folder above it that exists. */
    Path existing() {
        Path place = stateDirectory.toAbsolutePath().normalize();
        while (!Files.exists(place) && place.getParent() != null) {
            place = place.getParent();
        }
        return place;
    }

    private Check space() {
        try {
            long free = Files.getFileStore(existing()).getUsableSpace();
            String found = free / MEBIBYTE + " MiB free at '" + existing() + "'";
            String fix = "free some space, or set CARREL_WORKSPACES to another file system";
            if (free < NO_SPACE) {
                return Check.fail("disk space", found, fix);
            }
            return free < LITTLE_SPACE
                    ? Check.warn("disk space", found, fix)
                    : Check.ok("disk space", found);
        } catch (IOException e) {
            return Check.warn("disk space", "unknown: " + e, "check the disk with: df -h");
        }
    }

    private Check git() throws InterruptedException {
        Optional<String> version = firstLine("git", "--version");
        return version.map(found -> Check.ok("git", found))
                .orElseGet(() ->
                        Check.warn(
                                "git",
                                "not installed: only plain directories can be used",
                                "apt install git"));
    }

    private Check svn() throws InterruptedException {
        return Check.ok(
                "svn",
                firstLine("svn", "--version", "--quiet")
                        .map(version -> "version " + version)
                        .orElse("not installed; needed for Subversion checkouts only"));
    }

    private Optional<String> firstLine(String... argv) throws InterruptedException {
        return output(argv).flatMap(text -> text.lines().findFirst());
    }

    private Optional<String> output(String... argv) throws InterruptedException {
        try {
            ProcessResult result = runner.run(Command.of(argv));
            return result.succeeded() ? Optional.of(result.outputText()) : Optional.empty();
        } catch (CarrelException e) {
            return Optional.empty();
        }
    }

    private static Check cgroups() {
        HostFiles files = new LiveFiles();
        boolean second = files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers"));
        return Check.ok("cgroups", second ? "version 2" : "no unified version 2 tree");
    }

    /** The JDK turns the bytes of a path into text by the locale; outside ASCII it loses some. */
    private static Check locale() {
        String encoding = System.getProperty("sun.jnu.encoding", "unknown");
        return encoding.toUpperCase(Locale.ROOT).replace("-", "").equals("UTF8")
                ? Check.ok("locale", encoding)
                : Check.warn(
                        "locale",
                        "paths are read as " + encoding,
                        "set LC_ALL=C.UTF-8, so that repositories in folders with other than ASCII"
                                + " names can be used");
    }

    /** Whether the sandbox's user can get into the state directory at all. */
    Check identity(Identity identity) {
        String who = "uid " + identity.uid() + ", gid " + identity.gid();
        if (!identity.switched()) {
            return Check.ok("sandbox user", "yours: " + who);
        }
        Optional<String> obstacle =
                Reach.entering(
                        new LiveFiles(), existing(), new Owner(identity.uid(), identity.gid()));
        return obstacle.map(why ->
                        Check.fail(
                                "sandbox user",
                                "root's sandboxes run as " + who + ", and " + why,
                                "set CARREL_WORKSPACES to a directory that everybody may enter,"
                                        + " such as /var/lib/carrel"))
                .orElseGet(() -> Check.ok("sandbox user", "root's sandboxes run as " + who));
    }
}
