package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.testing.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BwrapsIT {

    @TempDir private Path folder = Path.of("/");
    private Path real = Path.of("/");

    @BeforeEach
    void needsBwrap() throws IOException {
        real = Requirements.bwrap();
        folder = folder.toRealPath();
    }

    @Test
    void provesTheProgramThatTheVariableNames() throws InterruptedException, IOException {
        BwrapProgram found = explicit(real).find();

        assertThat(found.path()).isEqualTo(real.toRealPath());
        assertThat(found.version()).matches("0\\.\\d+(\\.\\d+)?");
    }

    @Test
    void findsCarrelsOwnBeforeThePath() throws InterruptedException, IOException {
        Path own = copy("libexec/bwrap");

        BwrapProgram found =
                search(Map.of("PATH", folder + ":/usr/bin"), Optional.of(folder)).find();

        assertThat(found.path()).isEqualTo(own);
    }

    @Test
    void goesOnToThePathWhereCarrelsOwnIsNotUsable() throws InterruptedException, IOException {
        script("libexec/bwrap", "echo bubblewrap 0.5.0");
        Path second = copy("bin/bwrap");

        BwrapProgram found =
                search(Map.of("PATH", folder.resolve("bin").toString()), Optional.of(folder))
                        .find();

        assertThat(found.path()).isEqualTo(second);
    }

    @Test
    void neverGoesOnWhereTheVariableNamesABadOne() throws IOException {
        copy("libexec/bwrap");
        Path missing = folder.resolve("missing");

        refusal(explicit(missing)).hasMessageContaining("'" + missing + "' does not exist");
        refusal(
                        search(
                                Map.of("CARREL_BWRAP", "bwrap", "PATH", folder.toString()),
                                Optional.of(folder)))
                .hasMessageContaining("not an absolute path");
    }

    @Test
    @Tag("NS-12")
    void neverRunsASetuidProgram() throws IOException {
        Path setuid = script("bwrap", "touch " + folder + "/ran");
        Files.setAttribute(setuid, "unix:mode", 04755);

        refusal(explicit(setuid)).hasMessageContaining("is setuid or setgid (mode 4755)");
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void neverRunsWhatOthersCanWriteOrReplace() throws IOException {
        Path open = script("bwrap", "touch " + folder + "/ran");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xrwx"));
        refusal(explicit(open)).hasMessageContaining("is writable by others");

        Path inOpen = script("open/bwrap", "touch " + folder + "/ran");
        Files.setPosixFilePermissions(
                inOpen.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        refusal(explicit(inOpen)).hasMessageContaining("lies below");

        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void judgesTheFileBehindALink() throws IOException {
        Path setuid = script("hidden/bwrap", "true");
        Files.setAttribute(setuid, "unix:mode", 04755);
        Path link = Files.createSymbolicLink(folder.resolve("link"), setuid);

        refusal(explicit(link)).hasMessageContaining("is setuid or setgid");
    }

    @Test
    void refusesAProgramThatIsTooOldForOverlays() throws InterruptedException {
        Path old = DebianBubblewrap.unpack(folder);

        refusal(explicit(old))
                .hasMessageMatching("(?s).*which calls itself 0\\.8\\.0\\) lacks overlays.*")
                .satisfies(failure ->
                        assertThat(((UnsupportedHostException) failure).remedy())
                                .hasValueSatisfying(cure -> assertThat(cure).contains("0.12")));
    }

    @Test
    void refusesAProgramThatOnlyCallsItselfBubblewrap() throws IOException {
        refusal(explicit(script("liar", "echo bubblewrap 0.12.0")))
                .hasMessageContaining(
                        "(which calls itself 0.12.0) does not do what bubblewrap does");
        refusal(explicit(script("stranger", "echo firejail 0.9")))
                .hasMessageContaining("does not answer --version");
        refusal(explicit(script("broken", "exit 3")))
                .hasMessageContaining("does not answer --version");
    }

    /** Makes mount points through links, as unfixed versions do, whatever its number says. */
    @Test
    @Tag("NS-05")
    @Tag("NS-06")
    void refusesAProgramWithoutTheSymlinkFix() throws IOException {
        Path unfixed =
                script(
                        "unfixed",
                        """
                        for word; do
                          case $previous in
                            --bind) tree=$word;;
                            --dir) case $word in
                              /w/plain/*) mkdir "$tree/plain/${word##*/}";;
                              /w/evil/*) link=$(readlink "$tree/evil"); mkdir "${link#/oldroot}/x";;
                            esac;;
                          esac
                          previous=$word
                        done
                        echo bubblewrap 0.12.0
                        """);

        refusal(explicit(unfixed)).hasMessageContaining("lacks the fix of CVE-2026-87766");
    }

    @Test
    @Tag("NS-13")
    void saysWhyWhereTheKernelRefusesUserNamespaces() {
        Bwraps bwraps =
                new Bwraps(
                        caller(Map.of("CARREL_BWRAP", real.toString())),
                        Optional.empty(),
                        Optional.empty(),
                        new NoUserNamespaces());

        refusal(bwraps)
                .hasMessageContaining("/proc/sys/user/max_user_namespaces is 0")
                .satisfies(failure ->
                        assertThat(((UnsupportedHostException) failure).remedy())
                                .contains("sudo sysctl user.max_user_namespaces=15000"));
    }

    @Test
    void remembersAProofUntilTheFileChanges() throws IOException, InterruptedException {
        Path program = copy("bwrap");
        AtomicInteger started = new AtomicInteger();
        HostProcessRunner runner = new HostProcessRunner();
        ProcessRunner counting =
                new ProcessRunner() {
                    @Override
                    public RunningProcess start(Command command) {
                        started.incrementAndGet();
                        return runner.start(command);
                    }
                };
        Bwraps bwraps =
                new Bwraps(
                        caller(Map.of("CARREL_BWRAP", program.toString())),
                        Optional.empty(),
                        Optional.of(folder.resolve("cache")),
                        counting);

        bwraps.find();
        assertThat(started.getAndSet(0)).isPositive();
        bwraps.find();
        assertThat(started.get()).isZero();

        Files.copy(real, program, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        bwraps.find();
        assertThat(started.get()).isPositive();
    }

    private Bwraps explicit(Path program) {
        return search(
                Map.of("CARREL_BWRAP", program.toString(), "PATH", "/usr/bin"),
                Optional.of(folder));
    }

    private static Bwraps search(Map<String, String> environment, Optional<Path> home) {
        return new Bwraps(caller(environment), home, Optional.empty(), new HostProcessRunner());
    }

    private static Caller caller(Map<String, String> environment) {
        Caller me = Caller.current();
        return new Caller(me.uid(), me.gid(), me.userName(), me.home(), environment);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refusal(Bwraps bwraps) {
        return assertThatThrownBy(bwraps::find).isInstanceOf(UnsupportedHostException.class);
    }

    private Path copy(String name) throws IOException {
        Path target = folder.resolve(name);
        Files.createDirectories(target.getParent());
        Files.copy(real, target);
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        return target;
    }

    private Path script(String name, String text) throws IOException {
        Path target = folder.resolve(name);
        Files.createDirectories(target.getParent());
        Files.writeString(target, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        return target;
    }
}
