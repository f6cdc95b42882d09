package dev.carrel.core.host;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.RunningProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A scratch sandbox that lives until it is ended, for trials from outside. */
record HeldSandbox(RunningProcess process, long innerPid) {

    /** It has no pid namespace of its own, so its shell knows its number on the host. */
    static HeldSandbox start(ScratchSandbox sandbox, List<String> options) throws IOException {
        RunningProcess process =
                sandbox.runner()
                        .start(
                                sandbox.command(options, "/bin/sh", "-c", "echo $$; read -r line")
                                        .withStreams(
                                                new Command.Input.Piped(),
                                                new Command.Output.Piped(),
                                                new Command.Output.Captured()));
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8));
        String line = output.readLine();
        if (line == null || !line.matches("[0-9]{1,9}")) {
            process.kill();
            throw new HostOperationException("a sandbox for a trial did not start");
        }
        return new HeldSandbox(process, Long.parseLong(line));
    }

    /** Ends it and waits until it is gone, and its mounts with it. */
    void end() throws IOException, InterruptedException {
        process.input().close();
        process.await();
    }
}
