package dev.carrel.core.session.denial;

import dev.carrel.core.host.Caller;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Bubblewrap used as badly as can be, as a control for the attacks: the host's files, processes and
 * network, all capabilities, no filter, the caller's variables, an open directory, options as
 * arguments, the checkout itself as the workspace. Only {@code /}, {@code /usr} and {@code /etc}
 * are writable copies, so that the attacks do the host no harm.
 */
final class WeakLauncher {

    private static final List<String> COPIED = List.of("/usr", "/etc");

    private static final Set<String> OWN = Set.of("usr", "etc", "proc", "dev", "workspace", "home");

    private final Victims victims;

    WeakLauncher(Victims victims) {
        this.victims = victims;
    }

    ProcessResult run(List<String> program, byte[] input) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of(Requirements.bwrap().toString()));
        if (!Caller.current().isRoot()) {
            argv.addAll(List.of("--unshare-user", "--uid", "0", "--gid", "0"));
        }
        argv.addAll(List.of("--cap-add", "ALL"));
        host(argv);
        argv.addAll(
                List.of("--dev-bind", "/proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm"));
        argv.addAll(List.of("--bind", victims.origin.toString(), "/workspace/project"));
        argv.addAll(List.of("--chdir", "/workspace/project"));
        victims.variables().forEach((name, value) -> argv.addAll(List.of("--setenv", name, value)));
        argv.add("--");
        argv.addAll(program);
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("CARREL_TEST_CANARY", "1");
        HandedOver leak = new HandedOver(8, victims.fixture.base, HandedOver.Access.READ);
        return new HostProcessRunner()
                .run(
                        Command.of(argv)
                                .withEnvironment(environment)
                                .withInput(input)
                                .handingOver(List.of(leak)));
    }

    /**
     * In a user namespace overlayfs refuses a lower directory with a mount below it, such as a
     * container's /etc/hosts.
     */
    static Optional<String> mountInTheWay() throws IOException {
        if (Caller.current().isRoot()) {
            return Optional.empty();
        }
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .map(line -> line.split(" ", -1)[4])
                .filter(point -> COPIED.stream().anyMatch(copied -> point.startsWith(copied + "/")))
                .findFirst();
    }

    private static void host(List<String> argv) throws IOException {
        for (String copied : COPIED) {
            argv.addAll(List.of("--overlay-src", copied, "--tmp-overlay", copied));
        }
        argv.addAll(List.of("--dir", "/home"));
        try (Stream<Path> entries = Files.list(Path.of("/"))) {
            for (Path entry : entries.sorted().toList()) {
                if (Files.isSymbolicLink(entry)) {
                    argv.addAll(
                            List.of(
                                    "--symlink",
                                    Files.readSymbolicLink(entry).toString(),
                                    entry.toString()));
                } else if (Files.isDirectory(entry)
                        && !OWN.contains(entry.getFileName().toString())) {
                    argv.addAll(List.of("--dev-bind", entry.toString(), entry.toString()));
                }
            }
        }
        Path home = Path.of(System.getProperty("user.home"));
        if (home.startsWith("/home")) {
            argv.addAll(List.of("--dev-bind", home.toString(), home.toString()));
        }
    }
}
