package dev.carrel.core.repo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.process.RunningProcess;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Fills a scratch repository by one process, whatever the names and contents are. */
public final class FastImport {

    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private int marks;

    private FastImport(OutputStream out) {
        this.out = out;
    }

    /** Writes objects. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of them. */
        void write(FastImport to) throws IOException;
    }

    /**
     * Imports.
     *
     * @throws dev.carrel.core.failure.HostOperationException if git does not take it
     */
    public static void run(ScratchGit git, Content content) throws InterruptedException {
        Command command =
                git.command(List.of("fast-import", "--quiet", "--done"))
                        .withStreams(
                                new Command.Input.Piped(),
                                new Command.Output.Captured(),
                                new Command.Output.Captured());
        RunningProcess importer = git.runner().start(command);
        try (OutputStream out = new BufferedOutputStream(importer.input(), BUFFER)) {
            content.write(new FastImport(out));
            out.write("done\n".getBytes(US_ASCII));
        } catch (IOException e) {
            // The importer ended early: what it said is worth more than the broken pipe.
            ScratchGit.requireSuccess(command, 1, importer.await());
        } catch (RuntimeException failed) {
            importer.kill();
            throw failed;
        }
        ProcessResult result = importer.await();
        ScratchGit.requireSuccess(command, result.exit(), result);
    }

    /** Content that several files may have; answers its mark. */
    public int blob(byte[] content) throws IOException {
        marks++;
        text("blob\nmark :" + marks + "\n");
        data(content);
        return marks;
    }

    /** Begins a commit without parents; answers its mark. */
    public int commit(String reference) throws IOException {
        marks++;
        text("commit " + reference + "\nmark :" + marks + "\ncommitter carrel <carrel> 0 +0000\n");
        text("data 0\n");
        return marks;
    }

    /** Begins a commit with one parent, whose files it does not have. */
    public int commit(String reference, int parent) throws IOException {
        int mark = commit(reference);
        text("from :" + parent + "\ndeleteall\n");
        return mark;
    }

    /** A file of the commit, its content given by a mark. */
    public void file(FileMode mode, byte[] path, int blob) throws IOException {
        text("M " + mode.digits() + " :" + blob + " ");
        out.write(GitQuote.always(path));
        out.write('\n');
    }

    /** A file of the commit. */
    public void file(FileMode mode, byte[] path, byte[] content) throws IOException {
        text("M " + mode.digits() + " inline ");
        out.write(GitQuote.always(path));
        out.write('\n');
        data(content);
    }

    private void data(byte[] content) throws IOException {
        text("data " + content.length + "\n");
        out.write(content);
        out.write('\n');
    }

    private void text(String text) throws IOException {
        out.write(text.getBytes(US_ASCII));
    }
}
