package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.merge.Blob;
import dev.carrel.core.overlay.Entry;
import dev.carrel.core.repo.FileMode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A file or link of one side of a merge.
 *
 * @param entry with all permission bits
 * @param blob as git sees it
 */
record MergeSide(Entry entry, Blob blob) {

    /** None for what is no file or link. */
    static Optional<MergeSide> of(Optional<Entry> entry, Supplier<InputStream> content) {
        return entry.flatMap(found -> side(found, () -> readAll(content)));
    }

    private static Optional<MergeSide> side(Entry entry, Blob.Content content) {
        return switch (entry) {
            case Entry.RegularFile file ->
                    Optional.of(
                            new MergeSide(
                                    entry, Blob.of(FileMode.of(file.isExecutable()), content)));
            case Entry.Link(byte[] text) ->
                    Optional.of(new MergeSide(entry, Blob.of(FileMode.LINK, () -> text)));
            case Entry.Directory _, Entry.Special _ -> Optional.empty();
        };
    }

    /** What was kept of an apply. */
    static Optional<MergeSide> of(Fingerprint print, Ancestors ancestors) {
        Optional<FileMode> mode = print.gitMode();
        Optional<byte[]> content = mode.flatMap(_ -> ancestors.read(print));
        return content.map(bytes ->
                new MergeSide(
                        mode.orElseThrow() == FileMode.LINK
                                ? new Entry.Link(bytes)
                                : new Entry.RegularFile(print.mode(), bytes.length),
                        Blob.of(mode.orElseThrow(), () -> bytes)));
    }

    /** The same, whose content can be asked for after the merge. */
    MergeSide remembering() {
        return new MergeSide(entry, blob.remembering());
    }

    /** In bytes. */
    long size() {
        return entry instanceof Entry.RegularFile file ? file.size() : 0;
    }

    /** Permission bits; a link has none of its own. */
    int mode() {
        return entry instanceof Entry.RegularFile file ? file.mode() : Entry.PERMISSIONS;
    }

    private static byte[] readAll(Supplier<InputStream> content) {
        try (InputStream in = content.get()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read a file to merge it: " + e.getMessage(), null, e);
        }
    }
}
