package dev.carrel.core.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * What is kept of one stream; both streams of a process are drained at once, so that neither pipe
 * can fill up.
 */
final class StreamCapture {

    private final CompletableFuture<byte[]> content;

    private StreamCapture(CompletableFuture<byte[]> content) {
        this.content = content;
    }

    static StreamCapture of(Command.Output output, InputStream stream) {
        if (!(output instanceof Command.Output.Captured)) {
            return new StreamCapture(CompletableFuture.completedFuture(new byte[0]));
        }
        CompletableFuture<byte[]> content = new CompletableFuture<>();
        // No virtual thread: one that reads a pipe occupies its carrier, and there are few.
        Thread.ofPlatform().daemon().start(() -> content.complete(drain(stream)));
        return new StreamCapture(content);
    }

    private static byte[] drain(InputStream stream) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        byte[] buffer = new byte[16 * 1024];
        try (stream) {
            int count;
            while ((count = stream.read(buffer)) >= 0) {
                kept.write(buffer, 0, Math.min(count, ProcessRunner.CAPTURE_LIMIT - kept.size()));
            }
        } catch (IOException e) {
            // The process is gone; what was read is all there is.
        }
        return kept.toByteArray();
    }

    byte[] await() throws InterruptedException {
        try {
            return content.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
