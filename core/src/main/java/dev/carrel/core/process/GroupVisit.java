package dev.carrel.core.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The starting thread in the control groups of what it starts: a process is born where its parent's
 * thread is. Only the trees of cgroup v1 have single threads in groups of their own.
 */
final class GroupVisit implements AutoCloseable {

    /** Itself. */
    private static final String SELF = "0";

    private final List<Path> back = new ArrayList<>();

    private GroupVisit() {}

    /** Enters the groups of a command; the calling thread is a platform thread. */
    static GroupVisit of(Command command) throws IOException {
        GroupVisit visit = new GroupVisit();
        boolean there = false;
        try {
            for (Command.Bounds.Group group : groups(command)) {
                write(group.enter());
                visit.back.add(group.leave().orElseThrow());
            }
            there = true;
            return visit;
        } finally {
            if (!there) {
                visit.close();
            }
        }
    }

    private static List<Command.Bounds.Group> groups(Command command) {
        return command.bounds().map(Command.Bounds::groups).orElse(List.of());
    }

    private static void write(Path file) throws IOException {
        Files.writeString(file, SELF, StandardOpenOption.WRITE);
    }

    /** Whether the bounds have to be set by a shell that becomes the command. */
    static boolean takesShell(Command command) {
        return command.bounds()
                .filter(bounds ->
                        bounds.data().isPresent()
                                || bounds.file().isPresent()
                                || bounds.groups().stream()
                                        .anyMatch(group -> group.leave().isEmpty()))
                .isPresent();
    }

    /** The same command, whose bounds a shell sets before it becomes it. */
    static Command behindShell(Command command) {
        return command.behind(Shell.bounding(command.bounds().orElseThrow())).unbounded();
    }

    /** Back to where the process is. */
    @Override
    public void close() throws IOException {
        Optional<IOException> failed = Optional.empty();
        for (Path file : back) {
            try {
                write(file);
            } catch (IOException e) {
                failed = Optional.of(e);
            }
        }
        if (failed.isPresent()) {
            throw failed.get();
        }
    }
}
