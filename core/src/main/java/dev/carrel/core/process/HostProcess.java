package dev.carrel.core.process;

import java.io.InputStream;
import java.io.OutputStream;

/** A real process with its captured streams. */
record HostProcess(Process process, StreamCapture captured, StreamCapture capturedError)
        implements RunningProcess {

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public OutputStream input() {
        return process.getOutputStream();
    }

    @Override
    public InputStream output() {
        return process.getInputStream();
    }

    @Override
    public InputStream error() {
        return process.getErrorStream();
    }

    @Override
    public void awaitExit() throws InterruptedException {
        process.waitFor();
    }

    @Override
    public ProcessResult await() throws InterruptedException {
        int exit = process.waitFor();
        return new ProcessResult(exit, captured.await(), capturedError.await());
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }
}
