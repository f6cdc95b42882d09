package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.BridgeOptions;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.Command.HandedOver.Access;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A way from a Unix socket of the host to a port of the loopback of a running session. It ends with
 * this process, with the session, or when it is closed; connections through it end with it. Safe
 * for many threads.
 */
public final class Bridge implements AutoCloseable {

    private static final int READY_WITHIN_MILLIS = 10_000;
    private static final int END_WITHIN_MILLIS = 5_000;

    /** The kernel's {@code __SO_ACCEPTCON}, as its table writes it. */
    private static final String LISTENING = "00010000";

    private final BridgePlace place;
    private final Members members;
    private final RunningProcess process;
    private final CommandStatus status;

    private Bridge(BridgePlace place, Members members, RunningProcess process) {
        this.place = place;
        this.members = members;
        this.process = process;
        this.status = new CommandStatus(place.statusFile());
    }

    /**
     * Starts a bridge; {@link #awaitReady} says when it can be used.
     *
     * @param place where it makes its socket
     * @param port where connections lead
     */
    public static Bridge start(
            SessionRuntime runtime,
            ProcessRunner runner,
            Identity identity,
            Joined joined,
            BridgePlace place,
            int port) {
        RunFile.replace(
                place.argsFile(),
                BridgeOptions.of(place.sockets(), runtime.bwrap(), runtime.token()).fileContent());
        Command command =
                Command.of(
                                BridgeOptions.argv(
                                        identity,
                                        joined.joining(),
                                        runtime.bwrap(),
                                        place.name(),
                                        port))
                        .withStreams(
                                new Command.Input.Nothing(),
                                new Command.Output.Discarded(),
                                new Command.Output.File(place.errorFile()))
                        .handingOver(
                                List.of(
                                        new HandedOver(
                                                BridgeOptions.ARGS_DESCRIPTOR,
                                                place.argsFile(),
                                                Access.READ),
                                        new HandedOver(
                                                BridgeOptions.STATUS_DESCRIPTOR,
                                                place.statusFile(),
                                                Access.WRITE)));
        return new Bridge(place, runtime.members(), runner.start(command));
    }

    /** Whether connections can pass. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Returns when connections can pass.
     *
     * @return whether they can; false if the bridge ended
     * @throws HostOperationException if it is not ready in time
     */
    public boolean awaitReady() throws InterruptedException {
        for (int waited = 0; !Files.exists(place.socket()) || !listens(); waited++) {
            if (!process.isAlive()) {
                return false;
            }
            if (waited > READY_WITHIN_MILLIS) {
                throw new HostOperationException(
                        "the bridge to the session's network was not ready in time: "
                                + place.complaint());
            }
            Thread.sleep(1);
        }
        return process.isAlive();
    }

    /**
     * The file is there once the name is bound, a moment before anybody listens there. The table of
     * the network that the bridge is in tells (proc_pid_net(5)): flags in the fourth column.
     */
    private boolean listens() {
        Path table = Path.of("/proc", Long.toString(process.pid()), "net/unix");
        try {
            return Files.readAllLines(table, StandardCharsets.ISO_8859_1).stream()
                    .map(line -> line.split(" +"))
                    .anyMatch(row ->
                            row[row.length - 1].equals(BridgeOptions.inside(place.name()))
                                    && row[3].equals(LISTENING));
        } catch (IOException e) {
            // It has ended; whoever waits looks for that.
            return false;
        }
    }

    /** What it said when it ended. */
    public String complaint() {
        return place.complaint();
    }

    /** Ends it and every connection through it, and frees what it held. */
    @Override
    public void close() {
        boolean interrupted = false;
        for (int waited = 0; process.isAlive() || child().isPresent(); waited++) {
            child().ifPresent(Member::kill);
            if (waited == END_WITHIN_MILLIS) {
                // Its child never got a name: what is left of it goes with the session.
                process.kill();
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        place.remove();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Member> child() {
        OptionalLong pid = status.childPid();
        return pid.isPresent() ? members.of(pid.getAsLong()) : Optional.empty();
    }
}
