package dev.carrel.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Commands at a terminal, typed by someone. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalSystemIT {

    private static final String CTRL_C = "\u0003";
    private static final String CTRL_Z = "\u001a";

    /** What {@link #ask} makes a shell say: at the start of a line, unlike what is typed. */
    private static final Pattern ANSWER = Pattern.compile("(?m)^=\\w+=[^\\r\\n]*");

    private Installation installation;
    private String session;

    @BeforeAll
    void open() throws Exception {
        installation = Installation.open();
        session = installation.carrel("session", "new").out().strip();
    }

    @AfterAll
    void close() throws Exception {
        if (installation != null) {
            installation.close();
        }
    }

    private Typist exec(String rest) throws Exception {
        return Typist.at(installation, Installation.program() + " exec " + session + " -- " + rest);
    }

    @Test
    void aCommandOwnsATerminalThatIsNotTheCallers() throws Exception {
        try (Typist typist =
                Typist.at(
                        installation,
                        "tty; "
                                + Installation.program()
                                + " exec "
                                + session
                                + " -- sh -c 'test -t 0 && test -t 1 && test -t 2 && : >/dev/tty"
                                + " && readlink /proc/self/fd/0; echo copy >/dev/stdout'; echo left-$?")) {
            assertThat(typist.await()).isZero();
            List<String> lines = typist.shown().lines().toList();
            assertThat(lines).hasSize(4);
            assertThat(lines.get(1)).startsWith("/dev/pts/").isNotEqualTo(lines.get(0));
            assertThat(lines.get(2)).isEqualTo("copy");
            assertThat(lines.get(3)).isEqualTo("left-0");
        }
    }

    @Test
    void theSizeFollowsTheCallersTerminal() throws Exception {
        try (Typist typist =
                Typist.at(
                        installation,
                        "tty; "
                                + Installation.program()
                                + " exec "
                                + session
                                + " -- sh -c 'stty size; trap \"stty size; exit 5\" WINCH;"
                                + " echo ready; while :; do sleep 0.1; done'")) {
            typist.awaitShown("ready");
            assertThat(typist.shown()).contains("24 80");
            String device = typist.shown().lines().findFirst().orElseThrow();

            installation.host("stty", "-F", device, "rows", "50", "cols", "132");

            assertThat(typist.await()).isEqualTo(5);
            assertThat(typist.shown()).contains("50 132");
        }
    }

    @Test
    void ctrlCGoesToTheCommandAndTheTerminalIsAsBefore() throws Exception {
        try (Typist typist =
                Typist.at(
                        installation,
                        "stty -a >before; "
                                + Installation.program()
                                + " exec "
                                + session
                                + " -- sh -c 'trap \"echo caught; exit 9\" INT; echo ready; read x';"
                                + " echo left-$?; stty -a >after; cmp before after && echo same")) {
            typist.awaitShown("ready");

            typist.type(CTRL_C);

            typist.await();
            assertThat(typist.shown()).contains("caught", "left-9", "same");
        }
    }

    @Test
    void ctrlCEndsACommandWhoseCallerIgnoresIt() throws Exception {
        try (Typist typist =
                Typist.at(
                        installation,
                        "trap '' INT; "
                                + Installation.program()
                                + " exec "
                                + session
                                + " -- sh -c 'echo ready; sleep 300'; echo left-$?")) {
            typist.awaitShown("ready");

            typist.type(CTRL_C);

            typist.await();
            assertThat(typist.shown()).contains("left-130");
        }
    }

    @Test
    void aShellControlsItsJobs() throws Exception {
        try (Typist typist =
                Typist.at(installation, Installation.program() + " shell " + session)) {
            typist.type("PS1='ready'\\>; echo\n");
            typist.awaitShown("ready>");
            typist.type("sleep 300\n");
            typist.awaitShown("sleep 300\r\n");
            Thread.sleep(500); // until the job has the terminal
            typist.type(CTRL_Z);
            typist.awaitShown("Stopped");
            typist.type("fg\n");
            typist.awaitShown("sleep 300", 3);
            Thread.sleep(500);
            typist.type(CTRL_C);
            typist.type("echo ended-$?\n");
            typist.awaitShown("ended-130");
            typist.type("exit 4\n");

            assertThat(typist.await()).isEqualTo(4);
        }
    }

    @Test
    void anEditorAndAPagerBehave() throws Exception {
        installation.needs("vim");
        installation.needs("less");
        try (Typist typist = exec("vim -u NONE -N edited")) {
            typist.awaitShown("~");
            typist.type("ihello\u001b");
            Thread.sleep(500); // a following key would make it an Alt sequence
            typist.type(":wq\r");
            assertThat(typist.await()).isZero();
        }
        assertThat(installation.carrel("exec", session, "--", "cat", "edited").out())
                .isEqualTo("hello\n");
        try (Typist typist = exec("less README")) {
            Thread.sleep(3000);
            typist.type("q");
            assertThat(typist.await()).isZero();
        }
    }

    @Test
    void resizeCtrlCCtrlZEditorAndPagerBehaveAsOutside() throws Exception {
        for (String program : List.of("bash", "vim", "less")) {
            installation.needs(program);
        }
        String shell = "bash --norc --noprofile -i";

        List<String> inside = aDayAt(Installation.program() + " exec " + session + " -- " + shell);

        assertThat(inside)
                .isEqualTo(aDayAt(shell))
                .containsExactly(
                        "=size=24 80",
                        "=resized=50 132",
                        "=interrupted=130",
                        "=stopped=148",
                        "=continued=130",
                        "=edited=hello",
                        "=paged=0",
                        "left with 4");
    }

    /** What someone sees who does a bit of everything in a shell, always by the same keys. */
    private List<String> aDayAt(String shell) throws Exception {
        try (Typist typist = Typist.at(installation, "tty; " + shell)) {
            typist.type("PS1='ready'\\>; bind 'set enable-bracketed-paste off'; echo\n");
            typist.awaitShown("ready>");
            // What is typed before the shell reads it is shown at once, above the device perhaps.
            String device =
                    typist.shown()
                            .lines()
                            .filter(line -> line.startsWith("/dev/pts/"))
                            .findFirst()
                            .orElseThrow();
            typist.type("cd $(mktemp -d)\n");
            ask(typist, "size", "$(stty size)");
            installation.host("stty", "-F", device, "rows", "50", "cols", "132");
            typist.type("until [ \"$(stty size)\" = '50 132' ]; do sleep 0.1; done\n");
            ask(typist, "resized", "$(stty size)");
            typist.type("sleep 301\n");
            typist.awaitShown("sleep 301\r\n");
            Thread.sleep(500); // until the job has the terminal
            typist.type(CTRL_C);
            ask(typist, "interrupted", "$?");
            typist.type("sleep 302\n");
            typist.awaitShown("sleep 302\r\n");
            Thread.sleep(500);
            typist.type(CTRL_Z);
            typist.awaitShown("Stopped");
            ask(typist, "stopped", "$?");
            typist.type("fg\n");
            typist.awaitShown("sleep 302\r\n", 2);
            Thread.sleep(500);
            typist.type(CTRL_C);
            ask(typist, "continued", "$?");
            typist.type("vim -u NONE -N edited\n");
            typist.awaitShown("[New");
            typist.type("ihello\u001b");
            Thread.sleep(500); // a following key would make it an Alt sequence
            leave(typist, ":wq\r");
            ask(typist, "edited", "$(cat edited)");
            typist.type("seq 7000 7999 >many; less many\n");
            typist.awaitShown("7001");
            typist.type("G");
            typist.awaitShown("7999", 2);
            leave(typist, "q");
            ask(typist, "paged", "$?");
            typist.type("rm -r \"$PWD\"; exit 4\n");
            int exit = typist.await();
            return Stream.concat(
                            ANSWER.matcher(typist.shown()).results().map(MatchResult::group),
                            Stream.of("left with " + exit))
                    .toList();
        }
    }

    /** A full-screen program may throw away what is typed before it has ended. */
    private static void leave(Typist typist, String keys) throws Exception {
        int prompts = typist.shown().split("ready>", -1).length - 1;
        typist.type(keys);
        typist.awaitShown("ready>", prompts + 1);
    }

    private static void ask(Typist typist, String name, String question) throws Exception {
        typist.type("echo =" + name + "=" + question + "\n");
        typist.awaitShown("\n=" + name + "=");
    }

    @Test
    void aRedirectedOutputIsUnchangedBytes() throws Exception {
        try (Typist typist =
                exec("sh -c 'printf \"a\\nb\\n\"; test -t 0 && echo asked >&2' >piped")) {
            assertThat(typist.await()).isZero();
            assertThat(typist.shown()).isEqualTo("asked\r\n");
        }
        Path piped = installation.repository().resolve("piped");
        assertThat(Files.readAllBytes(piped)).containsExactly('a', '\n', 'b', '\n');
        Files.delete(piped);
    }

    @Test
    void aPipelineTakesWhatIsTypedByLines() throws Exception {
        try (Typist typist = exec("sh -c 'echo ready >&2; read x; echo got-$x' | cat")) {
            typist.awaitShown("ready");
            typist.type("word\n");
            assertThat(typist.await()).isZero();
            assertThat(typist.shown()).contains("got-word");
        }
    }

    @Test
    void ctrlCEndsAPipelinesCommand() throws Exception {
        try (Typist typist =
                exec("sh -c 'echo ready >&2; sleep 300' | cat; echo left-${PIPESTATUS[0]-}")) {
            typist.awaitShown("ready");
            typist.type(CTRL_C);
            typist.await();
        }
        assertThat(installation.carrel("exec", session, "--", "sh", "-c", "echo idle").out())
                .isEqualTo("idle\n");
    }

    @Test
    void twoLinesSayWhatChangedAndWhatToDo() throws Exception {
        try (Typist typist =
                Typist.at(installation, Installation.program() + " run -- touch made")) {
            assertThat(typist.await()).isZero();
            assertThat(typist.shown())
                    .contains(": 1 file changed (1 added)\r\n")
                    .containsPattern(
                            "carrel diff ([a-z-]+) · carrel apply \\1 · carrel discard \\1\r\n");
        }
    }

    @Test
    void aTerminatedCarrelEndsTheCommandAndGivesTheTerminalBack() throws Exception {
        try (Typist typist =
                Typist.at(
                        installation,
                        "stty -a >before; sh -c 'echo pid-$$; exec "
                                + Installation.program()
                                + " exec "
                                + session
                                + " -- sleep 300'; echo left-$?;"
                                + " stty -a >after; cmp before after && echo same")) {
            typist.awaitShown("pid-");
            String pid = typist.shown().lines().findFirst().orElseThrow().substring(4).strip();
            awaitRunning();

            installation.signal("TERM", Long.parseLong(pid));

            typist.await();
            assertThat(typist.shown()).contains("left-143", "same");
        }
    }

    private void awaitRunning() throws Exception {
        for (int i = 0; i < 100; i++) {
            if (installation.carrel("session", "show", session).out().contains("running")) {
                return;
            }
        }
        throw new AssertionError("the command does not start");
    }
}
