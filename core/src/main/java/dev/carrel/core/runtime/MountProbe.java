package dev.carrel.core.runtime;

import dev.carrel.core.bwrap.BusyProbe;
import dev.carrel.core.bwrap.Switching;
import dev.carrel.core.failure.UnsupportedHostException;
import dev.carrel.core.policy.Identity;
import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.ProcessRunner;
import dev.carrel.core.process.RunningProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Asks the kernel whether a work directory is still mounted somewhere. */
final class MountProbe {

    private final ProcessRunner runner;
    private final Path bwrap;
    private final Identity identity;
    private final RuntimeFiles files;

    MountProbe(ProcessRunner runner, Path bwrap, Identity identity, RuntimeFiles files) {
        this.runner = runner;
        this.bwrap = bwrap;
        this.identity = identity;
        this.files = files;
    }

    /**
     * Whether nothing pins the work directory. One that the kernel never used needs no question.
     */
    boolean isFree(Path work) throws InterruptedException {
        if (!Files.exists(work.resolve("work"), java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        List<String> argv = new ArrayList<>(Switching.to(identity));
        Path probe = files.session().relativize(files.probe());
        argv.addAll(
                BusyProbe.argv(
                        bwrap,
                        files.session(),
                        files.session().relativize(work),
                        probe.resolve("lower"),
                        probe.resolve("upper")));
        ProcessResult result = toItsEnd(Command.of(argv));
        if (result.succeeded()) {
            return true;
        }
        if (result.errorText().contains(BusyProbe.BUSY)) {
            return false;
        }
        throw new UnsupportedHostException(
                "cannot find out whether " + work + " is mounted already: " + result.errorText(),
                "Run carrel doctor; it tries each thing that a session needs.");
    }

    /**
     * Not to be interrupted half-way: killed in the first milliseconds of its start, bubblewrap
     * leaves a child that waits for ever. It takes a few milliseconds.
     */
    private ProcessResult toItsEnd(Command command) throws InterruptedException {
        RunningProcess process = runner.start(command);
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            throw new InterruptedException("interrupted while a mount was looked for");
        }
        return process.await();
    }
}
