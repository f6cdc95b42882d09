package dev.carrel.core.host;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The smallest sandbox in which something can be tried: a user namespace, the host's programs, and
 * what a trial adds. It starts like a real one: empty environment, and as the other user where root
 * calls.
 */
record ScratchSandbox(Path bwrap, Optional<Identity> identity, ProcessRunner runner) {

    private static final List<String> SYSTEM_LINKS =
            List.of("/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin");

    ProcessResult run(List<String> options, String... command) throws InterruptedException {
        return runner.run(command(options, command));
    }

    /** The command line of a trial. */
    Command command(List<String> options, String... command) {
        List<String> argv = new ArrayList<>();
        argv.addAll(prefix(identity));
        argv.add(bwrap.toString());
        argv.addAll(List.of("--unshare-user", "--die-with-parent"));
        argv.addAll(programs(new LiveFiles()));
        argv.addAll(options);
        argv.add("--");
        argv.addAll(List.of(command));
        return Command.of(argv).withEnvironment(Map.of("LC_ALL", "C"));
    }

    /** What root puts in front of everything it starts for a sandbox. */
    static List<String> prefix(Optional<Identity> identity) {
        return identity.filter(Identity::switched)
                .map(who ->
                        List.of(
                                "/usr/bin/setpriv",
                                "--reuid=" + who.uid(),
                                "--regid=" + who.gid(),
                                "--clear-groups"))
                .orElse(List.of());
    }

    private static List<String> programs(HostFiles files) {
        List<String> options = new ArrayList<>(List.of("--ro-bind", "/usr", "/usr"));
        for (String name : SYSTEM_LINKS) {
            files.look(Path.of(name))
                    .ifPresent(entry ->
                            options.addAll(
                                    entry.kind() == HostFiles.Kind.LINK
                                            ? List.of("--symlink", entry.linkText(), name)
                                            : List.of("--ro-bind", name, name)));
        }
        options.addAll(List.of("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"));
        return options;
    }
}
