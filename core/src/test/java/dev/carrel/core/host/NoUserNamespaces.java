package dev.carrel.core.host;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.util.List;

/**
 * Runs each command where no user namespace can be made: inside one whose own limit is 0. The
 * machine's limit is not touched.
 */
final class NoUserNamespaces implements ProcessRunner {

    private final ProcessRunner real = new HostProcessRunner();

    @Override
    public RunningProcess start(Command command) {
        return real.start(
                command.behind(
                        List.of(
                                "/usr/bin/unshare",
                                "--user",
                                "--map-root-user",
                                "/bin/sh",
                                "-c",
                                "echo 0 >/proc/sys/user/max_user_namespaces; exec \"$@\"",
                                "sh")));
    }
}
