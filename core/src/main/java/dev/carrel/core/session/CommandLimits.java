package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.limits.Enforcement;
import dev.carrel.core.limits.LimitKeeper;
import dev.carrel.core.policy.Quantity;
import dev.carrel.core.policy.ResourceLimits;
import dev.carrel.core.process.Command;
import dev.carrel.core.runtime.RunningCommand;
import dev.carrel.core.store.SessionLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The limits of one command: prepared before it starts, then handed to its supervision.
 *
 * @param limits what it may use
 * @param enforcement what holds them; empty for commands of Carrel's own
 */
record CommandLimits(ResourceLimits limits, Optional<Enforcement> enforcement, SessionLayout layout)
        implements AutoCloseable {

    static CommandLimits none(SessionLayout layout) {
        return new CommandLimits(ResourceLimits.NONE, Optional.empty(), layout);
    }

    /**
     * Prepares the limits of a command.
     *
     * @throws InvalidInputException where it asks for more than all commands of its session may use
     * @throws dev.carrel.core.failure.UnsupportedHostException where a limit cannot be held
     */
    static CommandLimits of(
            HostTools tools, SessionLayout layout, SessionRecord record, CommandRequest request)
            throws InterruptedException {
        ResourceLimits session = record.policy().limits();
        requireWithin(session, request.limits());
        ResourceLimits limits = session.overriddenBy(request.limits());
        return new CommandLimits(
                limits,
                Optional.of(
                        tools.limits()
                                .enforce(
                                        LimitKeeper.groupName(layout.directory()),
                                        session,
                                        limits)),
                layout);
    }

    private static void requireWithin(ResourceLimits session, ResourceLimits asked) {
        List<String> problems = new ArrayList<>();
        if (session.memory().isPresent()
                && asked.memory().orElse(0) > session.memory().getAsLong()) {
            problems.add(
                    "the command asks for "
                            + Quantity.written(asked.memory().getAsLong())
                            + " of memory, and all of its session may use "
                            + Quantity.written(session.memory().getAsLong()));
        }
        if (session.cpus().isPresent()
                && asked.cpus()
                        .filter(cpus -> cpus.compareTo(session.cpus().get()) > 0)
                        .isPresent()) {
            problems.add(
                    "the command asks for "
                            + asked.cpus().get()
                            + " processors, and all of its session may use "
                            + session.cpus().get());
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    problems, "Ask for less, or make a new session with higher limits.");
        }
    }

    boolean countsOutput() {
        return limits.output().isPresent();
    }

    OptionalInt pids() {
        return enforcement.map(Enforcement::pids).orElse(OptionalInt.empty());
    }

    Command.Bounds bounds() {
        return new Command.Bounds(
                enforcement.map(Enforcement::toEnter).orElse(List.of()),
                enforcement.map(Enforcement::data).orElse(OptionalLong.empty()),
                limits.disk());
    }

    Supervision supervise(RunningCommand running, CommandStreams streams) {
        return Supervision.start(running, limits, enforcement.orElseThrow(), layout, streams);
    }

    /** For a command that did not start. */
    @Override
    public void close() {
        enforcement.ifPresent(Enforcement::close);
    }
}
