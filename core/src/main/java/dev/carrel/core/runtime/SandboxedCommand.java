package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.CommandOptions;
import dev.carrel.core.bwrap.Joining;
import dev.carrel.core.bwrap.Options;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.Command.HandedOver.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A command for the inside of a session, decided but not started.
 *
 * @param options the options of its bubblewrap
 * @param filter the file with the system call filter, if there is one
 * @param program what bubblewrap executes, and its arguments; where it cannot, the command counts
 *     as not started
 * @param bounds what it cannot get beyond, from its first moment on
 */
public record SandboxedCommand(
        Options options, Optional<Path> filter, List<String> program, Command.Bounds bounds) {

    /** Without bounds but for core dumps. */
    public SandboxedCommand(Options options, Optional<Path> filter, List<String> program) {
        this(options, filter, program, Command.Bounds.NONE);
    }

    public SandboxedCommand {
        program = List.copyOf(program);
    }

    /**
     * The host command that joins the pause, with its argument file and status file in {@code
     * directory}.
     */
    public Command command(Identity identity, Joining joining, String token, Path directory) {
        List<HandedOver> files =
                new ArrayList<>(
                        List.of(
                                new HandedOver(
                                        CommandOptions.ARGS_DESCRIPTOR,
                                        argsFile(directory),
                                        Access.READ),
                                new HandedOver(
                                        CommandOptions.STATUS_DESCRIPTOR,
                                        statusFile(directory),
                                        Access.WRITE)));
        filter.ifPresent(file ->
                files.add(new HandedOver(CommandOptions.FILTER_DESCRIPTOR, file, Access.READ)));
        return Command.of(CommandOptions.argv(identity, joining, token, program))
                .handingOver(files)
                .within(bounds);
    }

    void writeArgs(Path directory) {
        try {
            Files.write(argsFile(directory), options.fileContent());
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot write " + argsFile(directory) + ": " + e.getMessage(), null, e);
        }
    }

    /** It goes with the command's directory anyway. */
    static void forgetArgs(Path directory) {
        try {
            Files.deleteIfExists(argsFile(directory));
        } catch (IOException later) {
            // The end of the command takes it.
        }
    }

    static Path argsFile(Path directory) {
        return directory.resolve("args");
    }

    static Path statusFile(Path directory) {
        return directory.resolve("status");
    }
}
