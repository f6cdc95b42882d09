package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.Joining;
import dev.carrel.core.bwrap.Options;
import dev.carrel.core.bwrap.PauseOptions;
import dev.carrel.core.bwrap.PauseScript;
import dev.carrel.core.bwrap.Switching;
import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.posix.ProcessIdentity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.Command.HandedOver;
import dev.carrel.core.process.Command.HandedOver.Access;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import dev.carrel.core.store.AtomicFile;
import dev.carrel.core.store.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts the process that holds a session's namespaces, or a replacement for one that was killed.
 */
final class PauseStart {

    private static final int READY_WITHIN_MILLIS = 20_000;

    private final ProcessRunner runner;
    private final Path bwrap;
    private final Identity identity;
    private final RuntimeFiles files;
    private final String token;

    PauseStart(
            ProcessRunner runner, Path bwrap, Identity identity, RuntimeFiles files, String token) {
        this.runner = runner;
        this.bwrap = bwrap;
        this.identity = identity;
        this.files = files;
        this.token = token;
    }

    /** The command that {@link #first} runs. */
    Command firstCommand() {
        return detached(PauseOptions.argv(bwrap, PauseScript.FIRST))
                .handingOver(
                        List.of(
                                new HandedOver(
                                        PauseOptions.ARGS_DESCRIPTOR, argsFile(), Access.READ),
                                new HandedOver(
                                        PauseOptions.INFO_DESCRIPTOR, infoFile(), Access.WRITE),
                                new HandedOver(
                                        PauseOptions.HOLD_DESCRIPTOR, files.hold(), Access.READ)));
    }

    /**
     * Stages the view. The caller holds the session's lock and knows that its layers are mounted
     * nowhere.
     */
    PauseRecord first(View view) throws InterruptedException {
        Options options = view.options(bwrap, token);
        AtomicFile.write(argsFile(), options.fileContent());
        clear();
        RunningProcess process = runner.start(firstCommand());
        awaitReady(process);
        long pid = childPid();
        return publish(pid, View.fingerprint(options));
    }

    /** Enters the view through a command that still runs in it; running commands notice nothing. */
    PauseRecord replacement(Member through, String fingerprint) throws InterruptedException {
        clear();
        List<String> argv = new ArrayList<>(Joining.namespaces(through.pid()));
        argv.addAll(List.of("/bin/sh", "-c", PauseScript.REPLACEMENT));
        RunningProcess process =
                runner.start(
                        detached(argv)
                                .handingOver(
                                        List.of(
                                                new HandedOver(
                                                        PauseOptions.HOLD_DESCRIPTOR,
                                                        files.hold(),
                                                        Access.READ))));
        awaitReady(process);
        return publish(process.pid(), fingerprint);
    }

    /** It must outlive this process and its terminal: a session of its own, no streams. */
    private Command detached(List<String> program) {
        List<String> argv = new ArrayList<>(List.of("setsid"));
        argv.addAll(Switching.to(identity));
        argv.addAll(program);
        return Command.of(argv)
                .withStreams(
                        new Command.Input.Nothing(),
                        new Command.Output.Discarded(),
                        new Command.Output.File(files.run().resolve("pause.err")));
    }

    private void awaitReady(RunningProcess process) throws InterruptedException {
        for (int waited = 0; !Files.exists(files.ready()); waited++) {
            if (!process.isAlive()) {
                throw new UnsupportedHostException(
                        "the sandbox of the session cannot be set up: " + complaint(),
                        "Run carrel doctor; it tries each thing that a session needs.");
            }
            if (waited > READY_WITHIN_MILLIS) {
                process.kill();
                throw new HostOperationException(
                        "the sandbox of the session was not ready in time: " + complaint());
            }
            Thread.sleep(1);
        }
    }

    private String complaint() {
        try {
            String text = Files.readString(files.run().resolve("pause.err")).strip();
            return text.isEmpty() ? "bubblewrap gave no reason" : text;
        } catch (IOException e) {
            return "bubblewrap gave no reason";
        }
    }

    private long childPid() {
        return Json.read(infoFile()).integer("child-pid");
    }

    private PauseRecord publish(long pid, String fingerprint) {
        PauseRecord pause =
                ProcessIdentity.of(pid)
                        .flatMap(process ->
                                Namespaces.of(pid)
                                        .map(spaces ->
                                                new PauseRecord(process, spaces, fingerprint)))
                        .orElseThrow(() ->
                                new HostOperationException(
                                        "the pause process ended at once: " + complaint()));
        Json.write(files.pauseRecord(), pause.json());
        Json.write(files.run().resolve("last-pause.json"), pause.json());
        return pause;
    }

    private void clear() {
        try {
            Files.deleteIfExists(files.ready());
            Files.deleteIfExists(files.pauseRecord());
            Files.deleteIfExists(files.endingRecord());
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot clear " + files.hold() + ": " + e.getMessage(), null, e);
        }
    }

    private Path argsFile() {
        return files.run().resolve("pause.args");
    }

    private Path infoFile() {
        return files.run().resolve("pause.info");
    }
}
