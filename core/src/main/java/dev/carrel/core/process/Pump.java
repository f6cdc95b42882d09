package dev.carrel.core.process;

import dev.carrel.core.posix.Child;
import dev.carrel.core.posix.Descriptors;
import dev.carrel.core.posix.Errno;
import dev.carrel.core.posix.Waiting;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Waits for a process and moves what it reads and writes meanwhile, all on one thread of its own: a
 * virtual thread that reads a pipe occupies its carrier, and there are few of those.
 */
final class Pump implements Runnable {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int NONE = -1;
    private static final int BUFFER = 16 * 1024;

    private final Child child;
    private int watch;
    private final Kept output;
    private final Kept error;
    private int input;
    private final byte[] fed;
    private int written;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

    /**
     * Takes over the descriptors; a negative one stands for nothing to do.
     *
     * @param watch readable when the child has ended
     * @param fed what is written to {@code input}, which does not wait
     */
    Pump(Child child, int watch, int input, byte[] fed, int output, int error) {
        this.child = child;
        this.watch = watch;
        this.input = input;
        this.fed = fed;
        this.output = new Kept(output);
        this.error = new Kept(error);
    }

    /** What is kept of one stream. */
    private static final class Kept {
        private int descriptor;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream(0);

        Kept(int descriptor) {
            this.descriptor = descriptor;
        }

        void read(byte[] buffer) {
            int count = Descriptors.read(descriptor, buffer, 0, buffer.length);
            if (count > 0) {
                content.write(
                        buffer, 0, Math.min(count, ProcessRunner.CAPTURE_LIMIT - content.size()));
            } else if (count != -Errno.EAGAIN) {
                Descriptors.close(descriptor);
                descriptor = NONE;
            }
        }
    }

    /** Completed with what {@link Child#await} answers. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    /** Completed when nothing more can come. */
    CompletableFuture<Boolean> drained() {
        return drained;
    }

    /** Once drained. */
    byte[] output() {
        return output.content.toByteArray();
    }

    /** Once drained. */
    byte[] error() {
        return error.content.toByteArray();
    }

    @Override
    public void run() {
        try {
            move();
            drained.complete(true);
        } catch (RuntimeException | Error e) {
            // As when memory runs out: nobody may wait for ever.
            exit.completeExceptionally(e);
            drained.completeExceptionally(e);
            throw e;
        }
    }

    private void move() {
        byte[] buffer = new byte[BUFFER];
        while (watch >= 0 || output.descriptor >= 0 || error.descriptor >= 0) {
            int[] ready =
                    Waiting.poll(
                            LONG,
                            new int[] {watch, output.descriptor, error.descriptor, input},
                            new int[] {
                                Waiting.READABLE,
                                Waiting.READABLE,
                                Waiting.READABLE,
                                Waiting.WRITABLE
                            });
            if (ready[1] != 0) {
                output.read(buffer);
            }
            if (ready[2] != 0) {
                error.read(buffer);
            }
            if (ready[3] != 0) {
                feed();
            }
            if (ready[0] != 0) {
                ended();
            }
        }
    }

    /** An error means that the command closed its input early; its exit status tells the rest. */
    private void feed() {
        int count = Descriptors.write(input, fed, written, fed.length - written);
        written += Math.max(count, 0);
        if (written == fed.length || (count < 0 && count != -Errno.EAGAIN)) {
            closeInput();
        }
    }

    private void closeInput() {
        if (input >= 0) {
            Descriptors.close(input);
            input = NONE;
        }
    }

    private void ended() {
        Descriptors.close(watch);
        watch = NONE;
        closeInput();
        exit.complete(child.await());
    }
}
