package dev.carrel.cli;

import dev.carrel.core.process.StandardStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The program with sessions that are none, and what it has written at the last call. */
final class FakeProgram {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final FakeSessions sessions = new FakeSessions();
    final Set<StandardStream> terminals = EnumSet.noneOf(StandardStream.class);

    final Map<String, String> environment =
            new HashMap<>(Map.of("HOME", "/home/me", "COLOUR", "red", "SHELL", "/bin/zsh"));
    Path directory = Path.of("/src/app/web");
    String typed = "";

    int carrel(String... words) {
        return program().run(List.of(words));
    }

    /** With words that the kernel has in this file. */
    int carrelFrom(Path process, String... words) {
        return program().run(List.of(words), process);
    }

    private Program program() {
        out.reset();
        err.reset();
        Surroundings surroundings =
                new Surroundings(
                        environment,
                        directory,
                        Optional.empty(),
                        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        terminals::contains);
        return new Program(surroundings, sessions);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
