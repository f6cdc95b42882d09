package dev.carrel.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.limits.LimitKeepers;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.NetworkAccess;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.posix.Errno;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Uses a session where few descriptors may be open, and tells how commands ended. */
public final class FewDescriptorsMain {

    private static final long MIB = 1L << 20;

    /** Four processes of 16 MiB each, slowly enough for a watch to see them grow. */
    private static final String FILL =
            "perl -e 'for (1..4) { fork or do { for (1..32) { push @a, q(x) x 524288;"
                    + " select(undef,undef,undef,0.01) } sleep 1; exit } } 1 while wait > 0'";

    /** Six hundred connections to the proxy, and each is held. */
    private static final String FLOOD =
            "for i in 1 2 3; do perl -MSocket -e '$| = 1; for (1..200) {"
                    + " socket($s[$_], AF_INET, SOCK_STREAM, 0) && connect($s[$_], sockaddr_in(3128,"
                    + " INADDR_LOOPBACK)) or last } print qq(up\\n); sleep 60' & done; ";

    /** Six files of 3 MB. */
    private static final String WRITE =
            "for i in 1 2 3 4 5 6; do head -c 3000000 /dev/zero >f$i; sleep 0.1; done; sleep 5";

    private final Session session;

    private FewDescriptorsMain(Session session) {
        this.session = session;
    }

    /** {@code BASE BWRAP}. */
    public static void main(String[] arguments) throws Exception {
        loadClasses();
        SessionFixture fixture = SessionFixture.at(Path.of(arguments[0]), Path.of(arguments[1]));
        Path nowhere = Files.createDirectory(fixture.base.resolve("nowhere"));
        EgressPolicy list =
                new EgressPolicy(
                        EgressRules.parse(List.of("allowed.example"), List.of()),
                        Map.of(),
                        Optional.empty(),
                        List.of(),
                        List.of());
        Session session =
                Sessions.open(fixture.settings, _ -> {}, LimitKeepers.withoutGroups(nowhere))
                        .create(
                                new SessionRequest(
                                        List.of(
                                                new SessionRequest.RepoRequest(
                                                        Optional.empty(), fixture.plain("app"))),
                                        Optional.empty(),
                                        SandboxPolicy.DEFAULT.with(new NetworkAccess.Own(list)),
                                        true,
                                        List.of(),
                                        List.of()));
        FewDescriptorsMain main = new FewDescriptorsMain(session);
        ResourceLimits memory = ResourceLimits.DEFAULT.withMemory(48 * MIB);
        main.run("echo up; read go; " + FILL, 1, memory, true);
        main.run("echo up; read go; " + WRITE, 1, disk(), true);
        main.run(FLOOD + "echo up; read go; " + FILL, 4, memory, false);
        main.run("echo up; read go; rm -f f*; exit 7", 1, memory, false);
        fixture.remove();
    }

    private static ResourceLimits disk() {
        return ResourceLimits.DEFAULT.overriddenBy(
                new ResourceLimits(
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalLong.of(8 * MIB),
                        false));
    }

    /** Goes on when so many lines were read, and all descriptors taken perhaps. */
    private void run(String script, int lines, ResourceLimits limits, boolean blind)
            throws Exception {
        SessionCommand command =
                session.start(
                        CommandRequest.of("sh", "-c", script)
                                .with(new CommandRequest.Streams.Piped())
                                .with(limits));
        command.output().readNBytes(lines * "up\n".length());
        List<FileInputStream> all = blind ? takeAll() : List.of();
        // Not closed: that would give a descriptor back.
        OutputStream input = command.input();
        try {
            input.write("go\n".getBytes(UTF_8));
            input.flush();
        } catch (IOException ended) {
            // It was noticed before that.
        }
        byte[] rest = command.output().readAllBytes();
        for (FileInputStream each : all) {
            each.close();
        }
        CommandResult result = command.await();
        System.out.println(result.exit() + " " + result.ending() + new String(rest, UTF_8));
    }

    private static List<FileInputStream> takeAll() throws Exception {
        // Whatever was seen before this: the first process inside is known by then.
        Thread.sleep(300);
        List<FileInputStream> all = new ArrayList<>();
        // Also those that others have for a moment, again and again.
        for (int i = 0; i < 600; i++) {
            try {
                while (true) {
                    all.add(new FileInputStream("/dev/null"));
                }
            } catch (FileNotFoundException noneLeft) {
                Thread.sleep(1);
            }
        }
        return all;
    }

    /** From directories, classes cannot be loaded without descriptors; from archives they can. */
    private static void loadClasses() {
        String text =
                new Ending.Unwatched(Errno.describe(Errno.EMFILE)).word()
                        + new HostOperationException("message", "remedy").message();
        if (text.isEmpty()) {
            throw new AssertionError();
        }
    }
}
