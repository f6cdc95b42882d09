package dev.carrel.core.merge;

import dev.carrel.core.repo.FileMode;
import org.jspecify.annotations.Nullable;

/**
 * A file or link of one side. One object may stand for what several sides have alike: its content
 * is read once then.
 */
public final class Blob {

    private final FileMode mode;
    private final Content content;
    private final boolean remembers;
    private byte @Nullable [] known;

    private Blob(FileMode mode, Content content, boolean remembers) {
        this.mode = mode;
        this.content = content;
        this.remembers = remembers;
    }

    /**
     * A file or link whose content is read when the merge begins.
     *
     * @param mode what it is
     */
    public static Blob of(FileMode mode, Content content) {
        return new Blob(mode, content, false);
    }

    /** The same, whose content can be asked for afterwards: it is what was merged. */
    public Blob remembering() {
        return new Blob(mode, content, true);
    }

    /** What it is. */
    public FileMode mode() {
        return mode;
    }

    /** Its content. */
    public byte[] read() {
        byte[] bytes = known;
        if (bytes == null) {
            bytes = content.read();
            known = remembers ? bytes : null;
        }
        return bytes;
    }

    /** Where a content comes from. */
    @FunctionalInterface
    public interface Content {
        /** All of it; the text of a link. */
        byte[] read();
    }
}
