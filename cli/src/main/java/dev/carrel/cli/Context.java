package dev.carrel.cli;

import dev.carrel.core.process.StandardStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where a verb runs.
 *
 * @param surroundings what the program was started with
 * @param opening opens the sessions of this machine when a verb first asks for them
 */
record Context(Surroundings surroundings, Supplier<CoreSessions> opening) {

    CoreSessions sessions() {
        return opening.get();
    }

    PrintStream out() {
        return surroundings.out();
    }

    PrintStream err() {
        return surroundings.err();
    }

    Path directory() {
        return surroundings.directory();
    }

    boolean isTerminal(StandardStream stream) {
        return surroundings.terminal().test(stream);
    }

    /** Something that only people at a terminal are told. */
    void tell(List<String> lines) {
        if (surroundings.talks()) {
            lines.forEach(err()::println);
        }
    }
}
