package dev.carrel.core.session.denial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionFixture;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.testing.Requirements;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The other side of denial: what normal work needs goes on in a real session. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ToolsInSessionIT {

    private @Nullable SessionFixture fixture;
    private @Nullable Session session;

    @BeforeAll
    void open() throws Exception {
        fixture = SessionFixture.create();
        session = fixture.sessions.create(SessionRequest.of(fixture.git("project")));
    }

    @AfterAll
    void remove() throws Exception {
        if (fixture != null) {
            fixture.remove();
        }
    }

    @Test
    void versionsAreTold() throws Exception {
        assertThat(run("git --version; \"$0\" -version 2>&1", java()))
                .contains("git version 2.")
                .contains(System.getProperty("java.version"));
        if (Requirements.find("node").isPresent()) {
            assertThat(run("node --version")).startsWith("v");
        }
    }

    private static String java() {
        return System.getProperty("java.home") + "/bin/java";
    }

    @Test
    void aProcessCanTraceItsChildren() throws Exception {
        Requirements.program("strace");

        assertThat(run("strace -f -o trace sh -c 'true; exit 0' && cat trace"))
                .contains("execve(\"/usr/bin/sh\"")
                .contains("+++ exited with 0 +++");
    }

    @Test
    void sanitizersFindLeaks() throws Exception {
        Requirements.program("gcc");
        String program =
                """
                printf '#include <stdlib.h>\\nint main(void) { return malloc(7) == 0; }\\n' >leak.c
                gcc -fsanitize=address -o leak leak.c && ./leak 2>&1; echo "exit $?"
                """;

        assertThat(run(program)).contains("LeakSanitizer: detected memory leaks", "exit 1");
    }

    private String run(String script, String... arguments) throws Exception {
        String[] argv = new String[3 + arguments.length];
        System.arraycopy(new String[] {"sh", "-c", script}, 0, argv, 0, 3);
        System.arraycopy(arguments, 0, argv, 3, arguments.length);
        CommandResult result =
                Objects.requireNonNull(session)
                        .run(CommandRequest.of(argv).with(new CommandRequest.Streams.Captured()));
        assertThat(result.exit()).as(result.errorText()).isZero();
        return result.outputText();
    }
}
