package dev.carrel.core.session.denial;

import dev.carrel.core.seccomp.ForeignCall;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.store.StateLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the attacks are after: a secret file, a repository, and a process of the host that listens
 * on sockets of every kind.
 */
final class Victims {

    private static final String LISTENER =
            """
            # carrel-victim
            use Socket; $| = 1;
            my ($name, $path) = @ARGV;
            socket(my $tcp, AF_INET, SOCK_STREAM, 0); bind($tcp, sockaddr_in(0, INADDR_LOOPBACK)); listen($tcp, 9);
            socket(my $udp, AF_INET, SOCK_DGRAM, 0); bind($udp, sockaddr_in(0, INADDR_LOOPBACK));
            socket(my $abstract, AF_UNIX, SOCK_STREAM, 0); bind($abstract, pack('S a*', AF_UNIX, "\\0$name")); listen($abstract, 9);
            unlink $path; socket(my $file, AF_UNIX, SOCK_STREAM, 0); bind($file, sockaddr_un($path)); listen($file, 9);
            chmod 0777, $path;
            use POSIX; unlink "$path.pipe"; POSIX::mkfifo("$path.pipe", 0666); chmod 0666, "$path.pipe"; open(my $pipe, '+<', "$path.pipe") or die $!;
            print join(' ', (sockaddr_in(getsockname($tcp)))[0], (sockaddr_in(getsockname($udp)))[0]), "\\n";
            while (my $from = recv($udp, my $text, 99, 0)) { send($udp, 'answer', 0, $from) }
            """;

    private static final String SECRET_TEXT = "the secret of the host\n";
    private static final String ORIGINAL = "one\n";

    /** What homes keep in places that every tool knows. */
    static final List<String> SECRETS =
            List.of(
                    ".ssh/id_ed25519",
                    ".gnupg/key",
                    ".aws/credentials",
                    ".config/gcloud/credentials.db",
                    ".kube/config",
                    ".docker/config.json",
                    ".netrc",
                    ".git-credentials",
                    ".npmrc",
                    ".pypirc",
                    ".mozilla/firefox/logins.json",
                    ".password-store/mail.gpg",
                    ".bash_history",
                    ".claude/.credentials.json");

    final SessionFixture fixture;

    /** A home directory with secrets that every user of the machine may read. */
    final Path home;

    /** Where everybody may write. */
    final Path open;

    final Path secret;
    final Path origin;
    final Session session;
    private final String unique = UUID.randomUUID().toString();
    private final String background = "600." + System.nanoTime();
    private @Nullable Process listener;
    private String ports = "";

    Victims() throws Exception {
        fixture = SessionFixture.create();
        secret = Files.writeString(fixture.base.resolve("secret"), SECRET_TEXT);
        origin = fixture.git("project");
        open = fixture.plain("open");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        home = fixture.plain("home");
        Path keys = fixture.plain("keys");
        Files.writeString(keys.resolve("key"), SECRET_TEXT);
        Files.createSymbolicLink(home.resolve(".gnupg"), keys);
        for (String name : SECRETS) {
            Path file = home.resolve(name);
            if (!name.startsWith(".gnupg")) {
                Files.createDirectories(file.resolveSibling("."));
                Files.writeString(file, SECRET_TEXT);
            }
        }
        Files.writeString(home.resolve("notes"), "no secret\n");
        Path calls32 = Files.write(origin.resolve("calls32"), ForeignCall.program());
        Files.setPosixFilePermissions(calls32, PosixFilePermissions.fromString("rwxr-xr-x"));
        session = fixture.sessions.create(SessionRequest.of(origin));
        refresh();
    }

    /** Brings back what an earlier attack destroyed. */
    void refresh() throws IOException {
        Files.writeString(origin.resolve("a.txt"), ORIGINAL);
        Process running = listener;
        if (running == null || !running.isAlive()) {
            running =
                    new ProcessBuilder("perl", "-e", LISTENER, unique, socket().toString())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            ports = running.inputReader(StandardCharsets.UTF_8).readLine();
            listener = running;
        }
    }

    private Path socket() {
        return fixture.base.resolve("socket");
    }

    /** What an attack may know. */
    Map<String, String> variables() {
        String[] numbers = ports.split(" ", -1);
        Map<String, String> variables = new HashMap<>(ofHostView());
        variables.putAll(ofEverySandbox(numbers));
        return variables;
    }

    private Map<String, String> ofHostView() {
        return Map.of(
                "HOME_OF_HOST",
                home.toString(),
                "SECRETS",
                String.join(" ", SECRETS),
                "KEYS",
                fixture.base.resolve("keys").toString(),
                "OPEN",
                open.toString());
    }

    private Map<String, String> ofEverySandbox(String[] numbers) {
        return Map.of(
                "SECRET",
                secret.toString(),
                "STATE",
                fixture.state.toString(),
                "HOST_HOME",
                System.getProperty("user.home"),
                "VICTIM",
                Long.toString(process().pid()),
                "TCP",
                numbers[0],
                "UDP",
                numbers[1],
                "ABSTRACT",
                unique,
                "SOCKET",
                socket().toString(),
                "BACKGROUND",
                background,
                "ARGUMENT_CANARY",
                "argument-" + unique);
    }

    private Process process() {
        Process running = listener;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    boolean alive() {
        return process().isAlive();
    }

    boolean originChanged() throws IOException {
        return !Files.readString(origin.resolve("a.txt")).equals(ORIGINAL);
    }

    /** Whether the attribute is live where an overlay would look: in the checkout or in a layer. */
    boolean originOrLayerIsOpaque() throws IOException {
        Path layer =
                new StateLayout(fixture.state).session(session.id().value()).upper("project", 1);
        List<Path> planted =
                Stream.of(origin, layer)
                        .map(root -> root.resolve("directory"))
                        .filter(Files::exists)
                        .toList();
        if (planted.isEmpty()) {
            throw new IllegalStateException("the attack made no directory");
        }
        for (Path directory : planted) {
            UserDefinedFileAttributeView attributes =
                    Files.getFileAttributeView(directory, UserDefinedFileAttributeView.class);
            if (attributes.list().contains("overlay.opaque")) {
                return true;
            }
        }
        return false;
    }

    /** Whether the process that was to outlive its command runs; it is ended in any case. */
    boolean backgroundRuns() {
        List<ProcessHandle> left =
                ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info()
                                        .arguments()
                                        .map(List::of)
                                        .orElse(List.of())
                                        .contains(background))
                        .toList();
        left.forEach(ProcessHandle::destroyForcibly);
        return !left.isEmpty();
    }

    void remove() throws Exception {
        process().destroyForcibly().waitFor();
        fixture.remove();
    }
}
