package dev.carrel.core.runtime;

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
import dev.carrel.core.store.Json;
import dev.carrel.core.store.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

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
    Command firstCommand(String start, boolean ownNetwork) {
        List<String> argv =
                new ArrayList<>(
                        List.of(
                                "/bin/sh",
                                "-c",
                                PauseScript.GUARD,
                                "sh",
                                start,
                                validStart().toString()));
        argv.addAll(Switching.to(identity));
        argv.addAll(PauseOptions.argv(bwrap, token, ownNetwork));
        return detached(argv)
                .handingOver(
                        List.of(
                                new HandedOver(
                                        PauseOptions.ARGS_DESCRIPTOR, argsFile(), Access.READ),
                                new HandedOver(
                                        PauseOptions.INFO_DESCRIPTOR, infoFile(), Access.WRITE),
                                hold()));
    }

    /**
     * Makes every earlier start that has not come far enough to be found end by itself.
     *
     * @return whether there may have been one
     */
    boolean invalidateEarlier(String start) {
        boolean earlier = Files.exists(validStart());
        RunFile.replace(validStart(), (start + "\n").getBytes(StandardCharsets.UTF_8));
        return earlier;
    }

    /** Makes every start on its way fail. Needs no space: a removal must work on a full disk. */
    void invalidateAll() {
        RunFile.empty(validStart());
    }

    /**
     * Stages the view. The caller holds the session's lock and knows that its layers are mounted
     * nowhere; after a failure it ends what this left. A kill of the caller ends it, too: a pause
     * that nobody uses goes, and one that is not on its way yet finds its start invalid.
     */
    List<Step> first(View view, Starting starting) {
        Options options = view.options(bwrap, token);
        List<Step> steps = new ArrayList<>();
        steps.add(
                new Step(
                        "write the view",
                        () -> RunFile.replace(argsFile(), options.fileContent())));
        steps.add(new Step("clear the earlier pause", this::clear));
        steps.add(
                new Step(
                        "stage the view",
                        () ->
                                start(
                                        firstCommand(starting.number(), starting.ownNetwork()),
                                        starting)));
        steps.addAll(publish(starting, _ -> childPid()));
        return steps;
    }

    /** Enters the view through a command that still runs in it; running commands notice nothing. */
    List<Step> replacement(Member through, Starting starting) {
        List<String> argv =
                PauseOptions.replacement(
                        identity, Joined.joining(through.pid(), starting.ownNetwork()), token);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step("clear the earlier pause", this::clear));
        steps.add(
                new Step(
                        "enter the view",
                        () -> start(detached(argv).handingOver(List.of(hold())), starting)));
        steps.addAll(publish(starting, RunningProcess::pid));
        return steps;
    }

    private void start(Command command, Starting starting) {
        starting.process(runner.start(command));
    }

    /** The order matters: commands that joined a pause without a trace could not be adopted. */
    private List<Step> publish(Starting starting, ToLongFunction<RunningProcess> pid) {
        return List.of(
                new Step("wait until it is ready", () -> awaitReady(starting.process())),
                new Step(
                        "note the pause",
                        () -> {
                            PauseRecord pause =
                                    record(pid.applyAsLong(starting.process()), starting);
                            starting.pause(pause);
                            write(files.lastPause(), pause);
                        }),
                new Step("let commands join", () -> write(files.pauseRecord(), starting.pause())));
    }

    private HandedOver hold() {
        return new HandedOver(PauseOptions.HOLD_DESCRIPTOR, files.hold(), Access.READ);
    }

    /** It must outlive this process and its terminal: a session of its own, no streams. */
    private Command detached(List<String> program) {
        List<String> argv = new ArrayList<>(List.of("setsid"));
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

    private PauseRecord record(long pid, Starting starting) {
        return ProcessIdentity.of(pid)
                .flatMap(process ->
                        Namespaces.of(pid)
                                .map(spaces ->
                                        new PauseRecord(
                                                process,
                                                spaces,
                                                starting.ownNetwork(),
                                                starting.fingerprint())))
                .orElseThrow(() ->
                        new HostOperationException(
                                "the pause process ended at once: " + complaint()));
    }

    private static void write(Path file, PauseRecord pause) {
        RunFile.replace(file, pause.json().toString().getBytes(StandardCharsets.UTF_8));
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

    private Path validStart() {
        return files.run().resolve("pause.start");
    }

    private Path argsFile() {
        return files.run().resolve("pause.args");
    }

    private Path infoFile() {
        return files.run().resolve("pause.info");
    }
}
