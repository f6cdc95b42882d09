package dev.carrel.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.posix.TerminalModes;
import dev.carrel.core.testing.Requirements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PseudoTerminalIT {

    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String CTRL_Z = "\u001a";

    @TempDir Path scratch = Path.of("/");
    private @Nullable OnTerminal open;

    private OnTerminal start(String... argv) {
        OnTerminal started = new OnTerminal(argv);
        open = started;
        return started;
    }

    @AfterEach
    void close() throws InterruptedException {
        if (open != null) {
            open.close();
        }
    }

    @Test
    void isATerminalThatTheCommandControls() throws Exception {
        OnTerminal sh = start("sh", "-c", "test -t 0 && test -t 1 && test -t 2 && tty >/dev/tty");

        assertThat(sh.await()).isZero();
        assertThat(sh.shown()).isEqualTo(sh.terminal.device() + "\r\n");
    }

    @Test
    void tellsTheCommandOfANewSize() throws Exception {
        OnTerminal sh =
                start(
                        "sh",
                        "-c",
                        "trap 'stty size; exit 7' WINCH; stty size; echo ready; while :; do sleep 0.05; done");
        sh.awaitShown("24 80");
        sh.awaitShown("ready");

        sh.terminal.resize(new TerminalSize(50, 132));

        assertThat(sh.await()).isEqualTo(7);
        assertThat(sh.shown()).contains("50 132");
        assertThat(sh.terminal.size()).isEqualTo(new TerminalSize(50, 132));
    }

    @Test
    void makesCtrlCASignal() throws Exception {
        OnTerminal sh = start("sh", "-c", "trap 'echo caught; exit 3' INT; echo ready; read x");
        sh.awaitShown("ready");

        sh.type(CTRL_C);

        assertThat(sh.await()).isEqualTo(3);
        assertThat(sh.shown()).contains("^C").contains("caught");
    }

    @Test
    void makesCtrlDTheEndOfTheInput() throws Exception {
        OnTerminal cat = start("sh", "-c", "echo ready; cat; echo done");
        cat.awaitShown("ready");

        cat.type("line\n" + CTRL_D);

        assertThat(cat.await()).isZero();
        assertThat(cat.shown()).contains("line\r\nline\r\ndone");
    }

    @Test
    void letsAShellControlItsJobs() throws Exception {
        Requirements.program("bash");
        OnTerminal bash = start("bash", "--norc", "--noprofile", "-i");
        bash.type("PS1='ready'\\>; echo\n");
        bash.awaitShown("ready>");
        bash.type("sleep 300\n");
        bash.awaitShown("sleep 300\r\n");
        Thread.sleep(300); // until the job has the terminal

        bash.type(CTRL_Z);
        bash.awaitShown("Stopped");
        bash.type("bg; echo in-$?\n");
        bash.awaitShown("in-0");
        bash.type("fg\n");
        bash.awaitShown("sleep 300", 3);
        Thread.sleep(300);
        bash.type(CTRL_C);
        bash.type("echo ended-$?\n");
        bash.awaitShown("ended-130");
        bash.type("exit 4\n");

        assertThat(bash.await()).isEqualTo(4);
        assertThat(bash.shown()).doesNotContain("no job control");
    }

    @Test
    void showsColours() throws Exception {
        Files.createDirectory(scratch.resolve("folder"));
        OnTerminal ls = start("ls", "--color=auto", scratch.toString());

        assertThat(ls.await()).isZero();
        assertThat(ls.shown()).contains("\u001b[01;34mfolder");
    }

    @Test
    void runsAnEditor() throws Exception {
        Requirements.program("vim");
        Path file = scratch.resolve("text");
        OnTerminal vim = start("vim", "-u", "NONE", "-N", file.toString());
        vim.awaitShown("~");

        vim.type("ihello\u001b");
        Thread.sleep(100); // a following key would make it an Alt sequence
        vim.type(":wq\r");

        assertThat(vim.await()).isZero();
        assertThat(file).hasContent("hello\n");
    }

    @Test
    void runsAPager() throws Exception {
        Requirements.program("less");
        Path file = scratch.resolve("text");
        Files.writeString(file, "line\n".repeat(1000) + "the end\n");
        OnTerminal less = start("less", file.toString());
        less.awaitShown("line");

        less.type("G");
        less.awaitShown("the end");
        less.type("q");

        assertThat(less.await()).isZero();
    }

    @Test
    void losesAndChangesNoByteOfALongOutput() throws Exception {
        OnTerminal cat = start("sh", "-c", "read go; cat " + noise());
        cat.terminal.changeModes(TerminalModes::withPlainOutput);
        cat.terminal.changeModes(TerminalModes::withoutEcho);

        cat.type("\n");

        assertThat(cat.await()).isZero();
        assertThat(cat.shownBytes()).isEqualTo(Files.readAllBytes(scratch.resolve("noise")));
    }

    private Path noise() throws Exception {
        byte[] bytes = new byte[3_000_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        return Files.write(scratch.resolve("noise"), bytes);
    }

    @Test
    void endsAtOnceWithTheCommand() throws Exception {
        OnTerminal command = start("true");
        command.await();
        long before = System.nanoTime();

        start("true").await();

        // A process that still had the terminal would be waited for, and each start with it.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void endsEvenWhereAProcessOutlivesTheCommandWithTheTerminalOpen() throws Exception {
        OnTerminal sh =
                start(
                        "sh",
                        "-c",
                        "trap '' HUP; setsid sleep 20 & echo $! >" + scratch + "/pid; echo said");

        assertThat(sh.await()).isZero();

        assertThat(sh.shown()).contains("said");
        String pid = Files.readString(scratch.resolve("pid"), StandardCharsets.UTF_8).strip();
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void passesEveryByteThatIsTypedInRawMode() throws Exception {
        Path file = scratch.resolve("typed");
        OnTerminal head = start("sh", "-c", "stty raw -echo; echo ready; head -c 256 >" + file);
        head.awaitShown("ready");
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }

        head.terminal.write(all, all.length);

        assertThat(head.await()).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(all);
    }
}
