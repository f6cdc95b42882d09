package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.host.Caller;
import dev.carrel.core.policy.Retention;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.SeccompMode;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionCommand;
import dev.carrel.core.session.SessionEvent;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attack in a session that sees the whole host. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostReadonlyDenialIT {

    /** The mode is for most of them. */
    private static final Set<String> SEEN_ON_PURPOSE =
            Set.of(
                    // By others of HostViewAttacks, which know where things are here.
                    "connect to an abstract socket of the host",
                    "connect to a socket file of the host",
                    // Of any sandbox of the host, whose arguments are seen.
                    "find the options of the sandbox among arguments",
                    // Looks at a layer of another session.
                    "plant an attribute that hides a directory's lower half",
                    "read a file of the host",
                    "find an account of the host",
                    "find files in the caller's home",
                    "find sockets of services in /run",
                    "see a process of the host",
                    "see the machine's devices and drivers in /sys",
                    // A command has whatever the process has that joined it: looked for below.
                    "find open files of other processes");

    /** What may be written, and what is only a device. */
    private static final String WRITABLE_MOUNTS =
            """
            my %own = map { $_ => 1 } split / /, $ENV{OWN};
            open(my $m, '<', '/proc/self/mountinfo') or die;
            my (%seen, $count);
            for (map { (split / /)[4] } <$m>) {
                s/\\\\([0-7]{3})/chr oct $1/ge;
                next if $seen{$_}++ || $own{$_} || m{^/dev(/|$)};
                my $stat = "\\0" x 120;
                my $path = $_;
                # Covered by another mount, or out of reach, where nobody could write.
                next if syscall(137, $path, $stat) != 0;
                $count++;
                print "$path\\n" unless (unpack('Q', substr($stat, 80, 8)) & 1);
            }
            print "looked at $count\\n";
            """;

    private @Nullable Victims opened;
    private @Nullable Sessions sessions;
    private @Nullable Session usual;
    private @Nullable KeptRunning kept;
    private @Nullable Attackers attackers;
    private final List<String> warnings = new ArrayList<>();

    static Stream<Attack> attacks() {
        return Stream.concat(
                HostViewAttacks.all().stream(),
                SandboxDenialIT.attacks()
                        .filter(attack -> !SEEN_ON_PURPOSE.contains(attack.name())));
    }

    @BeforeAll
    void open() throws Exception {
        Requirements.bwrap();
        Requirements.program("perl");
        Victims victims = new Victims();
        opened = victims;
        // What the sandbox could not list would be hidden as a whole.
        Files.setPosixFilePermissions(
                victims.fixture.base, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new HashMap<>(victims.fixture.settings.environment());
        environment.put("HOME", victims.home.toString());
        environment.put("CARREL_TEST_CANARY", "1");
        sessions =
                Sessions.open(
                        new Settings(
                                victims.fixture.state,
                                Optional.empty(),
                                environment,
                                victims.fixture.base,
                                Retention.DEFAULT),
                        event -> {
                            if (event instanceof SessionEvent.Warning(String text)) {
                                warnings.add(text);
                            }
                        });
        Session made = session(SandboxPolicy.DEFAULT.with(ViewMode.HostReadonly.DEFAULT));
        usual = made;
        kept = made.keepRunning();
        attackers = new Attackers(victims, made, attacks().toList());
    }

    @AfterAll
    void remove() throws Exception {
        if (kept != null) {
            kept.close();
        }
        if (sessions != null) {
            sessions.close();
        }
        if (opened != null) {
            opened.remove();
        }
    }

    private Victims victims() {
        return Objects.requireNonNull(opened);
    }

    private Session session(SandboxPolicy policy) throws Exception {
        return Objects.requireNonNull(sessions)
                .create(
                        new SessionRequest(
                                List.of(new RepoRequest(Optional.empty(), victims().origin)),
                                Optional.empty(),
                                policy,
                                true,
                                List.of(),
                                List.of()));
    }

    private CommandResult run(Session where, List<String> argv) throws InterruptedException {
        Map<String, String> variables = new HashMap<>(victims().variables());
        variables.put("OWN", "/tmp /run/carrel-home " + victims().origin);
        return where.run(
                new CommandRequest(
                        argv, variables, Optional.empty(), new CommandRequest.Streams.Captured()));
    }

    private String shell(Session where, String script) throws InterruptedException {
        CommandResult result = run(where, List.of("sh", "-c", script));
        assertThat(result.exit()).as(result.errorText()).isZero();
        return result.outputText();
    }

    private static void onHost(String script) throws InterruptedException {
        var result = new HostProcessRunner().run(Command.of("sh", "-c", script));
        assertThat(result.succeeded()).as(result.errorText()).isTrue();
    }

    private void assertAllDenied(List<Attack> attacks, Session where) throws Exception {
        Attackers those = new Attackers(victims(), where, attacks);
        for (Attack attack : attacks) {
            those.assertDenied(attack);
        }
    }

    @ParameterizedTest
    @MethodSource("attacks")
    @Tag("PR-01")
    @Tag("PR-04")
    @Tag("SG-01")
    @Tag("SG-03")
    @Tag("US-01")
    @Tag("US-02")
    @Tag("US-03")
    @Tag("US-04")
    void denies(Attack attack) throws Exception {
        Objects.requireNonNull(attackers).assertDenied(attack);
    }

    @Test
    @Tag("NS-09")
    void everyMountThatCanBeReachedIsReadOnlyButItsOwn() throws Exception {
        String looked = shell(Objects.requireNonNull(usual), "perl -e '" + quoted() + "'");

        assertThat(looked).startsWith("looked at ");
        assertThat(Integer.parseInt(looked.replaceAll("\\D", ""))).isGreaterThan(3);
    }

    private static String quoted() {
        return WRITABLE_MOUNTS.replace("'", "'\\''");
    }

    @Test
    void fileSystemsBelowOthersAreReadOnlyAndLaterOnesDoNotAppear() throws Exception {
        if (!Caller.current().isRoot()) {
            // Only root can mount. What this machine has mounted is looked at above.
            assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).contains(" /sys ");
            return;
        }
        Path before = Files.createDirectories(Path.of("/srv/carrel-test-before"));
        Path later = Files.createDirectories(Path.of("/srv/carrel-test-later"));
        String mount = "mount -t tmpfs -o mode=0777 carrel-test ";
        try {
            onHost(mount + before + " && touch " + before + "/there");
            Session fresh = session(SandboxPolicy.DEFAULT.with(ViewMode.HostReadonly.DEFAULT));
            try (var _ = fresh.keepRunning()) {
                String look =
                        "ls %s; touch %s/x 2>/dev/null && echo WRITTEN; ls %s"
                                .formatted(before, before, later);
                assertThat(shell(fresh, look)).isEqualTo("there\n");
                onHost(mount + later + " && touch " + later + "/there");
                assertThat(shell(fresh, look)).isEqualTo("there\n");
            }
        } finally {
            onHost("umount %s %s 2>/dev/null; rmdir %s %s".formatted(before, later, before, later));
        }
    }

    @Test
    void aSecretThatTheHostReplacesMeanwhileStaysHidden() throws Exception {
        Session running = Objects.requireNonNull(usual);
        Path home = victims().home;
        try (var _ = running.keepRunning()) {
            String look =
                    "cd /tmp/host%s && cat .netrc .npmrc .ssh/id_ed25519 .newsecret notes; true"
                            .formatted(home.toString().substring("/tmp".length()));
            assertThat(shell(running, look)).isEqualTo("no secret\n");
            for (String name : List.of(".netrc", ".npmrc", ".ssh/id_ed25519")) {
                Path next = Files.writeString(home.resolve(".next"), "the secret of the host\n");
                Files.move(next, home.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            }
            Path old = home.resolve(".ssh.old");
            Files.move(home.resolve(".ssh"), old);
            Files.createDirectory(home.resolve(".ssh"));
            Files.move(old.resolve("id_ed25519"), home.resolve(".ssh/id_ed25519"));
            Files.delete(old);

            assertThat(shell(running, look)).isEqualTo("no secret\n");
        }
    }

    @Test
    @Tag("PR-08")
    @Tag("SG-03")
    void theHostsProcessesAreSeenAndNothingMoreUnlessTheyAreHidden() throws Exception {
        Requirements.program("ps");
        victims().refresh();
        String look = "ps -e -o args | grep -c '[c]arrel-victim'; true";
        assertThat(shell(Objects.requireNonNull(usual), look).strip()).isNotEqualTo("0");

        Session hiding =
                session(
                        SandboxPolicy.DEFAULT.with(
                                new ViewMode.HostReadonly(true, true, true, List.of(), List.of())));
        assertThat(shell(hiding, look).strip()).isEqualTo("0");
        assertAllDenied(HostViewAttacks.all(), hiding);
    }

    @Test
    void withoutAFilterServicesAreHiddenAllTheSameAndThatIsAllWhichIsSaid() throws Exception {
        for (SeccompMode mode : List.of(SeccompMode.OFF, SeccompMode.LOG)) {
            Session unfiltered =
                    session(SandboxPolicy.DEFAULT.with(ViewMode.HostReadonly.DEFAULT).with(mode));
            warnings.clear();
            assertAllDenied(HostViewAttacks.withoutFilter(), unfiltered);
            assertThat(warnings).isNotEmpty();
            assertThat(warnings.getFirst()).contains("does not deny Unix sockets");
        }
    }

    @Test
    @Tag("US-01")
    @Tag("US-11")
    void aServiceThatBeginsToListenLaterIsOutOfReach() throws Exception {
        Session running = Objects.requireNonNull(usual);
        Path late = victims().open.resolve("late");
        String connect =
                "perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die \"refused\\n\"; connect($s, sockaddr_un($ARGV[0])) or die \"$!\\n\"; print \"reached\\n\"' /tmp/host"
                        + late.toString().substring("/tmp".length());
        try (var _ = running.keepRunning();
                var server =
                        java.nio.channels.ServerSocketChannel.open(
                                java.net.StandardProtocolFamily.UNIX)) {
            server.bind(java.net.UnixDomainSocketAddress.of(late));
            Files.setPosixFilePermissions(late, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThat(shell(running, connect + " 2>&1; true")).isEqualTo("refused\n");

            // The control: without a filter a socket that came later is reached.
            Session unfiltered =
                    session(
                            SandboxPolicy.DEFAULT
                                    .with(ViewMode.HostReadonly.DEFAULT)
                                    .with(SeccompMode.OFF));
            Files.delete(late);
            try (var _ = unfiltered.keepRunning();
                    var later =
                            java.nio.channels.ServerSocketChannel.open(
                                    java.net.StandardProtocolFamily.UNIX)) {
                later.bind(java.net.UnixDomainSocketAddress.of(late));
                Files.setPosixFilePermissions(late, PosixFilePermissions.fromString("rwxrwxrwx"));
                assertThat(shell(unfiltered, connect)).isEqualTo("reached\n");
            }
        } finally {
            Files.deleteIfExists(late);
        }
    }

    @Test
    void whatListsOfPathsSayIsHiddenInTheWritableDirectoryToo() throws Exception {
        Files.writeString(victims().origin.resolve("token"), "the secret of the host\n");
        Session masked =
                session(
                        SandboxPolicy.DEFAULT.with(
                                new ViewMode.HostReadonly(
                                        true,
                                        true,
                                        false,
                                        List.of(victims().origin + "/token", "/srv"),
                                        List.of())));

        String tried =
                shell(
                        masked,
                        "cat token; rm -f token; mv token x; cat x; ls /srv; grep -rs 'the secret of' . /tmp/host"
                                + victims().origin.toString().substring("/tmp".length())
                                + "; echo done");

        assertThat(tried).isEqualTo("done\n");
        Files.delete(victims().origin.resolve("token"));
    }

    @Test
    void aCommandThatIsCancelledLeavesNothing() throws Exception {
        SessionCommand command =
                Objects.requireNonNull(usual)
                        .start(
                                CommandRequest.of(
                                                "sh",
                                                "-c",
                                                "trap '' TERM INT HUP; setsid sleep 600.77 & sleep 600.77")
                                        .with(new CommandRequest.Streams.Captured()));
        SessionProcesses.await(
                "started", () -> SessionProcesses.withArgument("600.77").size() == 2);
        command.cancel();
        assertThat(SessionProcesses.withArgument("600.77")).isEmpty();
    }

    @Test
    void noProcessCanGainPrivileges() throws Exception {
        String look =
                "grep -h '^NoNewPrivs\\|^CapEff\\|^CapBnd' /proc/self/status | cut -f2 | sort -u; cat /proc/self/uid_map | wc -l";
        assertThat(shell(Objects.requireNonNull(usual), look))
                .isEqualTo("0000000000000000\n1\n1\n");
    }
}
