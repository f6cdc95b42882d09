package dev.carrel.core.session.denial;

import dev.carrel.core.host.Caller;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.testing.ChildJvm;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link SessionChild} as another user of the machine: as {@code daemon} where the tests run as
 * root, else as the same user with state of its own.
 */
final class OtherUser {

    private static final int DAEMON = 1;

    private OtherUser() {}

    static int uid() {
        Caller caller = Caller.current();
        return caller.isRoot() ? DAEMON : caller.uid();
    }

    /** A folder of that user with a repository, and the program where that user can read it. */
    static Path place(SessionFixture fixture) throws IOException, InterruptedException {
        Path place = Files.createDirectory(fixture.base.resolve("other"));
        Path program = fixture.base.resolve("program");
        Files.writeString(Files.createDirectory(place.resolve("project")).resolve("a"), "a\n");
        // With their times, or the archive of the classes is not theirs.
        exec("cp", "-rp", ChildJvm.classes().toString(), program.toString());
        exec("cp", Requirements.bwrap().toString(), program.resolve("bwrap").toString());
        exec("chmod", "-R", "a+rX,go-w", program.toString());
        if (Caller.current().isRoot()) {
            exec("chown", "-R", DAEMON + ":" + DAEMON, place.toString());
        }
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    static List<String> child(SessionFixture fixture, Path program, String script) {
        Path place = fixture.base.resolve("other");
        List<String> command =
                new ArrayList<>(
                        ChildJvm.command(
                                SessionChild.class,
                                place.resolve("state").toString(),
                                place.resolve("project").toString(),
                                script));
        command.replaceAll(word -> word.replace(ChildJvm.classes().toString(), program.toString()));
        command.addAll(
                0,
                List.of(
                        "env",
                        "-i",
                        "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                        "CARREL_BWRAP=" + program.resolve("bwrap")));
        if (Caller.current().isRoot()) {
            command.addAll(
                    0,
                    List.of("setpriv", "--reuid=" + DAEMON, "--regid=" + DAEMON, "--clear-groups"));
        }
        return command;
    }

    /**
     * The same where no user namespace can be made: inside one whose own limit is 0, in which the
     * user is itself and has no capabilities.
     */
    static List<String> withoutNamespaces(List<String> command) {
        String limit =
                "echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps=-all --inh-caps=-all \"$@\"";
        int user = Caller.current().isRoot() ? 4 : 0;
        List<String> wrapped = new ArrayList<>(command.subList(0, user));
        wrapped.addAll(
                List.of(
                        "unshare",
                        "--user",
                        "--map-current-user",
                        "--keep-caps",
                        "sh",
                        "-c",
                        limit,
                        "sh"));
        wrapped.addAll(command.subList(user, command.size()));
        return wrapped;
    }

    private static void exec(String... command) throws IOException, InterruptedException {
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": exit " + exit);
        }
    }
}
