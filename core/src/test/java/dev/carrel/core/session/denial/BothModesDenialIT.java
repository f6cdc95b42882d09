package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.EnvironmentMode;
import dev.carrel.core.policy.SandboxPolicy;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionCommand;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionRequest.RepoRequest;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import dev.carrel.core.testing.Requirements;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds in every mode, tried in each; names begin with the kind of the attempt. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BothModesDenialIT {

    /** A mode with its defaults. */
    enum Mode {
        OVERLAY(new ViewMode.Overlay()),
        HOST_READONLY(ViewMode.HostReadonly.DEFAULT);

        @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
        private final ViewMode view;

        Mode(ViewMode view) {
            this.view = view;
        }
    }

    private final Map<Mode, Session> opened = new EnumMap<>(Mode.class);

    /** What is tried does not depend on a start of its own. */
    private final List<KeptRunning> kept = new ArrayList<>();

    private @Nullable SessionFixture fixture;
    private @Nullable Sessions sessions;

    @BeforeAll
    void open() throws Exception {
        Requirements.bwrap();
        SessionFixture made = SessionFixture.create();
        fixture = made;
        Path root = made.git("project");
        Map<String, String> environment = new HashMap<>(made.settings.environment());
        for (String name : List.of("SSH_AUTH_SOCK", "DOCKER_HOST", "WAYLAND_DISPLAY", "TMUX")) {
            environment.put(name, made.base + "/named");
        }
        environment.put("XDG_RUNTIME_DIR", made.base + "/runtime");
        environment.put("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + made.base + "/bus");
        environment.put("DISPLAY", ":0");
        environment.put("HARMLESS", "handed on");
        Settings usual = made.settings;
        Settings settings =
                new Settings(
                        usual.workspaceBase(),
                        usual.carrelHome(),
                        environment,
                        usual.currentDirectory(),
                        usual.retention());
        Sessions all = Sessions.open(settings, _ -> {});
        sessions = all;
        for (Mode mode : Mode.values()) {
            opened.put(
                    mode,
                    all.create(
                            new SessionRequest(
                                    List.of(new RepoRequest(Optional.empty(), root)),
                                    Optional.empty(),
                                    inheriting().with(mode.view),
                                    true,
                                    List.of(),
                                    List.of())));
            kept.add(session(mode).keepRunning());
        }
    }

    private static SandboxPolicy inheriting() {
        SandboxPolicy usual = SandboxPolicy.DEFAULT;
        return new SandboxPolicy(
                usual.network(),
                usual.unshareUts(),
                usual.unshareCgroup(),
                usual.hostname(),
                usual.newSession(),
                usual.seccomp(),
                EnvironmentMode.INHERIT_ALL,
                usual.inheritedVariables(),
                usual.persistentHome(),
                usual.sessionTmp(),
                usual.extraReadOnly(),
                usual.mask());
    }

    @AfterAll
    void remove() throws Exception {
        kept.forEach(KeptRunning::close);
        if (sessions != null) {
            sessions.close();
        }
        if (fixture != null) {
            fixture.remove();
        }
    }

    private Session session(Mode mode) {
        return Objects.requireNonNull(opened.get(mode));
    }

    private static CommandRequest script(String text) {
        return CommandRequest.of("sh", "-c", text).with(new CommandRequest.Streams.Captured());
    }

    private String output(Mode mode, String text) throws InterruptedException {
        CommandResult result = session(mode).run(script(text));
        return result.outputText() + result.errorText();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("NS-19")
    void ns19WordsThatLookLikeOptionsAreTheCommandsOwn(Mode mode) throws Exception {
        for (List<String> argv :
                List.of(
                        List.of("--bind", "/", "/"),
                        List.of("--", "true"),
                        List.of("--args", "0"),
                        List.of("--version"))) {
            CommandResult result =
                    session(mode)
                            .run(
                                    new CommandRequest(
                                            argv,
                                            Map.of(),
                                            Optional.empty(),
                                            new CommandRequest.Streams.Captured()));
            assertThat(result.exit()).as("%s", argv).isEqualTo(127);
        }
        assertThat(output(mode, "printf '%s|' --bind / --; echo done")).contains("done");
    }

    /** Arguments are shown to every user of the host, variables to the same one only. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("PR-03")
    void pr03NoVariableStandsAmongArgumentsOnTheHost(Mode mode) throws Exception {
        String canary = "canary" + System.nanoTime();
        SessionCommand command =
                session(mode)
                        .start(
                                new CommandRequest(
                                        List.of("sh", "-c", "echo $TOKEN; exec cat"),
                                        Map.of("TOKEN", canary),
                                        Optional.empty(),
                                        new CommandRequest.Streams.Piped()));
        assertThat(command.output().readNBytes(canary.length())).asString().isEqualTo(canary);
        long arguments = SessionProcesses.showing(canary);
        Process control = new ProcessBuilder("sh", "-c", "read x; true", canary).start();
        long shown = SessionProcesses.showing(canary);
        control.destroyForcibly().waitFor();
        command.input().close();
        command.await();
        assertThat(arguments).isZero();
        assertThat(shown).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("PR-05")
    void pr05NoDescriptorButTheThreeIsOpen(Mode mode) throws Exception {
        assertThat(
                        output(
                                mode,
                                "l=0; for f in /proc/self/fd/*; do f=${f##*/}; [ $f -gt $l ] && l=$f; done; echo $l"))
                .matches("[23]\n");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("PR-07")
    void pr07MemoryMessagesAndSettingsOfTheKernelAreOutOfReach(Mode mode) throws Exception {
        String tries =
                """
                for f in kcore kmsg kpageflags slabinfo sysrq-trigger; do head -c 1 /proc/$f >/dev/null && echo READ $f; done
                for f in kernel/core_pattern kernel/modprobe vm/drop_caches user/max_user_namespaces kernel/hostname net/ipv4/ip_forward fs/protected_symlinks; do
                  (true >/proc/sys/$f) && echo WROTE $f; done
                (echo h >/proc/sysrq-trigger) && echo WROTE sysrq-trigger
                dmesg && echo READ messages
                echo end
                """;

        assertThat(output(mode, "exec 2>/dev/null; " + tries)).isEqualTo("end\n");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("PR-11")
    @Tag("NS-01")
    void pr11ALimitOfNamespacesCannotBeRaised(Mode mode) throws Exception {
        assertThat(
                        output(
                                mode,
                                "exec 2>/dev/null; for f in /proc/sys/user/max_*; do (echo 9 >$f) && echo WROTE; done; unshare -Ur true && echo MADE; echo end"))
                .isEqualTo("end\n");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("TT-07")
    void tt07NoDeviceOfTheMachineIsThere(Mode mode) throws Exception {
        assertThat(
                        output(
                                mode,
                                "cd /dev; for f in * pts/*; do if [ ! -L $f ] && { [ -c $f ] || [ -b $f ]; }; then echo $f; fi; done;"
                                        + " ls kvm fuse vsock mem net/tun dri 2>/dev/null; echo end"))
                .isEqualTo("full\nnull\nrandom\ntty\nurandom\nzero\npts/ptmx\nend\n");
    }

    /**
     * The kernel keeps a reserve of pseudo terminals for the host's own instance of their file
     * system; they are not used up in earnest here, as others on this machine need them.
     */
    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("TT-06")
    void tt06PseudoTerminalsAreOfAnInstanceOfItsOwnAndTheReserveStays(Mode mode) throws Exception {
        String look = "stat -c %d /dev/pts/ptmx";
        String host = fixture().shell(look);
        String[] tried =
                output(
                                mode,
                                look
                                        + "; exec 2>/dev/null; cd /proc/sys/kernel/pty; for f in max reserve; do"
                                        + " read -r n <$f; [ $n -gt 0 ] && (echo $n >$f) && echo WROTE; done; echo end")
                        .split("(?<=\n)", 2);
        assertThat(tried[0]).matches("\\d+\n").isNotEqualTo(host);
        assertThat(tried[1]).isEqualTo("end\n");
        assertThat(fixture().shell(Requirements.bwrap() + " --unshare-user --dev-bind / / " + look))
                .as("where the host's are shown")
                .isEqualTo(host);
    }

    private SessionFixture fixture() {
        return Objects.requireNonNull(fixture);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("SG-02")
    void sg02KillingEverythingEndsTheCommandAndNothingElse(Mode mode) throws Exception {
        SessionCommand other = session(mode).start(script("sleep 2; echo alive"));

        assertThat(session(mode).run(script("kill -9 -1")).exit()).isNotZero();

        assertThat(other.await().outputText()).isEqualTo("alive\n");
        assertThat(output(mode, "echo usable")).isEqualTo("usable\n");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("SG-08")
    void sg08ACommandOutlivesTheThreadThatStartedIt(Mode mode) throws Exception {
        CompletableFuture<SessionCommand> started = new CompletableFuture<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                started.complete(
                                        session(mode).start(script("sleep 1; echo alive")));
                            } catch (InterruptedException e) {
                                started.completeExceptionally(e);
                            }
                        });
        SessionCommand command = started.join();
        thread.join();

        assertThat(command.await().outputText()).isEqualTo("alive\n");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @Tag("US-05")
    void us05NoVariableNamesASocketOrADisplayOfTheHost(Mode mode) throws Exception {
        assertThat(output(mode, "env"))
                .contains("HARMLESS=handed on")
                .doesNotContain(
                        "SSH_AUTH_SOCK",
                        "DOCKER_HOST",
                        "WAYLAND_DISPLAY",
                        "TMUX",
                        "XDG_RUNTIME_DIR",
                        "DBUS_SESSION_BUS_ADDRESS",
                        "DISPLAY=");
    }
}
