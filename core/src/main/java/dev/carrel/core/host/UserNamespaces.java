package dev.carrel.core.host;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why the kernel does not let a sandbox start; asked only after one really failed to. */
final class UserNamespaces {

    private static final String LIMIT = "/proc/sys/user/max_user_namespaces";
    private static final String CLONE = "/proc/sys/kernel/unprivileged_userns_clone";
    private static final String APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

    private UserNamespaces() {}

    /** What was found and what to do about it. */
    record Explanation(String cause, String remedy) {}

    /**
     * Reads the switches by a process that starts as a sandbox would: the numbers belong to the
     * user namespace of whoever reads them.
     */
    static Explanation explain(Path bwrap, ProcessResult attempt, ProcessRunner runner)
            throws InterruptedException {
        List<String> seen = new ArrayList<>();
        List<String> cures = new ArrayList<>();
        if (value(runner, LIMIT).filter("0"::equals).isPresent()) {
            seen.add(LIMIT + " is 0");
            cures.add("sudo sysctl user.max_user_namespaces=15000");
        }
        if (value(runner, CLONE).filter("0"::equals).isPresent()) {
            seen.add(CLONE + " is 0");
            cures.add("sudo sysctl kernel.unprivileged_userns_clone=1");
        }
        if (value(runner, APPARMOR).filter("1"::equals).isPresent()) {
            seen.add(APPARMOR + " is 1");
            cures.add(appArmorCure(bwrap));
        }
        String said = attempt.errorText().lines().findFirst().orElse("exit " + attempt.exit());
        String cause =
                "the kernel refuses the user namespace of a sandbox"
                        + (seen.isEmpty() ? "" : ": " + String.join("; ", seen))
                        + " ('"
                        + said
                        + "')";
        return new Explanation(
                cause,
                cures.isEmpty()
                        ? "in a container, allow unprivileged user namespaces (seccomp profile,"
                                + " masked /proc); on a host, see 'carrel doctor'"
                        : String.join("; ", cures));
    }

    private static Optional<String> value(ProcessRunner runner, String file)
            throws InterruptedException {
        ProcessResult result = runner.run(Command.of("cat", file));
        return result.succeeded() ? Optional.of(result.outputText().strip()) : Optional.empty();
    }

    /**
     * Distributions attach a profile of their own to the packaged program only. A private one needs
     * its own, under its own name: a second profile called like the distribution's would replace
     * it.
     */
    static String appArmorCure(Path bwrap) {
        if (bwrap.equals(Path.of("/usr/bin/bwrap"))) {
            return "enable the distribution's AppArmor profile: sudo apt install"
                    + " apparmor-profiles && sudo ln -s"
                    + " /usr/share/apparmor/extra-profiles/bwrap-userns-restrict"
                    + " /etc/apparmor.d/ && sudo apparmor_parser -r"
                    + " /etc/apparmor.d/bwrap-userns-restrict";
        }
        return "let this program have user namespaces: put\n"
                + "  abi <abi/4.0>,\n"
                + "  include <tunables/global>\n"
                + "  profile carrel-bwrap \""
                + bwrap
                + "\" flags=(unconfined) { userns, }\n"
                + "into /etc/apparmor.d/carrel-bwrap, then: sudo apparmor_parser -r"
                + " /etc/apparmor.d/carrel-bwrap";
    }
}
