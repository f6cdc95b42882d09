package dev.carrel.core.files;

import dev.carrel.core.failure.ConflictException;
import dev.carrel.core.failure.InvalidInputException;
import dev.carrel.core.tree.TreePath;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The files of a session as its commands see them. Safe for many threads; what other threads,
 * commands and processes do meanwhile is seen as it happens, as among the commands themselves.
 *
 * <p>Each operation enters the session once, some ten milliseconds while the session runs: keep it
 * running ({@code Session.keepRunning}) for many of them. An interrupt ends the operation. Every
 * operation throws {@link dev.carrel.core.failure.NotFoundException} where the path leads nowhere,
 * {@link InvalidInputException} where something of another kind is there or it may not be written,
 * and {@link dev.carrel.core.failure.HostOperationException} where the system refuses. A failed one
 * leaves everything as it was, but for {@link #delete} and {@link #makeDirectories}, which may have
 * done a part.
 */
public final class ViewFiles {

    /** The most that is read or written at once, in bytes. */
    public static final int LARGEST = 32 * 1024 * 1024;

    private static final int MOST_EDITS_AGAIN = 5;
    private static final int LONGEST_LINE = 2_000;

    private final Inside inside;

    /** The files of one session. */
    public ViewFiles(Inside inside) {
        this.inside = inside;
    }

    /**
     * Reads a regular file, following links inside the view.
     *
     * @throws InvalidInputException also if more than {@link #LARGEST} bytes would have to be read
     */
    public FileContent read(ViewPath path, FileRange range) throws InterruptedException {
        return switch (range) {
            case FileRange.Whole() -> readBytes(path, 0, LARGEST + 1L);
            case FileRange.Bytes(long offset, int count) -> readBytes(path, offset, count);
            case FileRange.Lines(long first, int count) ->
                    content(
                            path,
                            call(path)
                                    .run(
                                            FileScripts.READ_LINES,
                                            Map.of(
                                                    "CARREL_FIRST",
                                                    Long.toString(first),
                                                    "CARREL_COUNT",
                                                    Integer.toString(count),
                                                    "CARREL_MOST",
                                                    Integer.toString(LARGEST + 1))));
        };
    }

    /** Reads a whole file. */
    public FileContent read(ViewPath path) throws InterruptedException {
        return read(path, new FileRange.Whole());
    }

    private FileContent readBytes(ViewPath path, long offset, long count)
            throws InterruptedException {
        return content(
                path,
                call(path)
                        .run(
                                FileScripts.READ_BYTES,
                                Map.of(
                                        "CARREL_FIRST",
                                        Long.toString(offset),
                                        "CARREL_COUNT",
                                        Long.toString(Math.min(count, LARGEST + 1L)))));
    }

    private static FileContent content(ViewPath path, Inside.Result result) {
        Fields fields = new Fields(result.output());
        long size = Long.parseLong(fields.nextText('\n'));
        byte[] bytes = fields.rest();
        if (bytes.length > LARGEST) {
            throw new InvalidInputException(
                    path + " has " + size + " bytes, more than can be read at once",
                    "Read a range of at most " + LARGEST + " bytes.");
        }
        return new FileContent(bytes, size);
    }

    /**
     * Writes a whole file: whoever reads meanwhile sees the old or the new one. Missing directories
     * are made; the permissions of a file that is there are kept; a link is followed.
     *
     * @throws ConflictException if something else than expected is there; nothing was written
     */
    public void write(ViewPath path, byte[] content, Expectation expected)
            throws InterruptedException {
        if (content.length > LARGEST) {
            throw new InvalidInputException(
                    "at most " + LARGEST + " bytes can be written at once, not " + content.length);
        }
        call(path)
                .run(
                        FileScripts.WRITE,
                        Map.of(
                                "CARREL_EXPECTED",
                                word(expected),
                                "CARREL_SCRATCH",
                                UUID.randomUUID().toString(),
                                "CARREL_LENGTH",
                                Integer.toString(content.length)),
                        content);
    }

    /** Writes a whole file, whatever is there. */
    public void write(ViewPath path, byte[] content) throws InterruptedException {
        write(path, content, new Expectation.Anything());
    }

    private static String word(Expectation expected) {
        return switch (expected) {
            case Expectation.Anything() -> "anything";
            case Expectation.Nothing() -> "nothing";
            case Expectation.Content(String sha256) -> sha256;
        };
    }

    /**
     * Replaces text that stands in the file exactly so.
     *
     * @param old at least one character
     * @param everywhere whether all places are replaced; otherwise there must be exactly one
     * @throws InvalidInputException if there is no such place, or several and not {@code
     *     everywhere}; the message names their lines
     * @throws ConflictException if the file kept changing meanwhile; nothing was written
     */
    public Replacement edit(ViewPath path, String old, String replacement, boolean everywhere)
            throws InterruptedException {
        Edit edit = new Edit(path, old, replacement, everywhere);
        for (int attempt = 0; ; attempt++) {
            byte[] before = read(path).bytes();
            Edit.Outcome outcome = edit.of(before);
            try {
                write(path, outcome.content(), Expectation.Content.of(before));
                return outcome.replacement();
            } catch (ConflictException e) {
                // Somebody wrote another part of it; the text to replace may still be there.
                if (attempt >= MOST_EDITS_AGAIN) {
                    throw e;
                }
            }
        }
    }

    /** What is there; a link is not followed. */
    public FileEntry stat(ViewPath path) throws InterruptedException {
        Fields fields = new Fields(call(path).run(FileScripts.STAT, Map.of()).output());
        fields.next(0);
        return entry(path, fields);
    }

    /** The entries of a directory, by name; links in it are not followed. */
    public List<FileEntry> list(ViewPath directory) throws InterruptedException {
        Fields fields = new Fields(call(directory).run(FileScripts.LIST, Map.of()).output());
        List<FileEntry> entries = new ArrayList<>();
        while (fields.hasNext(0)) {
            entries.add(entry(directory.child(fields.next(0)), fields));
        }
        entries.sort((one, other) -> one.path().compareTo(other.path()));
        return entries;
    }

    private static FileEntry entry(ViewPath path, Fields fields) {
        EntryKind kind =
                switch (fields.nextText(0)) {
                    case "f" -> EntryKind.FILE;
                    case "d" -> EntryKind.DIRECTORY;
                    case "l" -> EntryKind.LINK;
                    default -> EntryKind.SPECIAL;
                };
        int mode = Integer.parseInt(fields.nextText(0), 8);
        long size = Long.parseLong(fields.nextText(0));
        Instant modified = instant(fields.nextText(0));
        byte[] target = fields.next(0);
        return new FileEntry(
                path,
                kind,
                mode,
                size,
                modified,
                kind == EntryKind.LINK
                        ? Optional.of(dev.carrel.core.tree.Names.display(target))
                        : Optional.empty());
    }

    /** Seconds, a point, and a fraction of ten digits. */
    private static Instant instant(String text) {
        java.math.BigDecimal seconds = new java.math.BigDecimal(text);
        java.math.BigDecimal whole = seconds.setScale(0, java.math.RoundingMode.FLOOR);
        return Instant.ofEpochSecond(
                whole.longValueExact(), seconds.subtract(whole).movePointRight(9).longValue());
    }

    /**
     * Files, links and special files below a directory whose path fits; {@code .git} is left out,
     * git-ignored files are not.
     *
     * @param glob such as <code>src/**&#47;*.java</code>, relative to the directory; without a
     *     slash it fits names in all directories
     */
    public FileList glob(ViewPath directory, String glob) throws InterruptedException {
        Glob pattern = Glob.of(glob);
        Inside.Result result = call(directory).run(FileScripts.FILES, Map.of());
        Fields fields = new Fields(result.output());
        List<ViewPath> found = new ArrayList<>();
        while (fields.hasNext(0)) {
            byte[] relative = fields.next(0);
            if (pattern.fits(new String(relative, StandardCharsets.UTF_8))) {
                found.add(directory.resolve(TreePath.ofBytes(relative)));
            }
        }
        found.sort(null);
        return new FileList(found, result.error().length == 0);
    }

    /**
     * Lines that fit, in a file or in all text files below a directory; {@code .git} is left out,
     * links are not followed.
     */
    public GrepResult grep(ViewPath path, GrepRequest request) throws InterruptedException {
        Inside.Result result =
                call(path)
                        .run(
                                FileScripts.GREP,
                                Map.of(
                                        "CARREL_OPTIONS",
                                        (request.plainText() ? "-F" : "-E")
                                                + (request.ignoreCase() ? " -i" : ""),
                                        "CARREL_PATTERN",
                                        request.pattern(),
                                        "CARREL_GLOB",
                                        request.glob().orElse("*"),
                                        "CARREL_COUNT",
                                        Integer.toString(request.limit() + 1),
                                        "CARREL_MOST",
                                        Integer.toString(LARGEST)));
        return matches(request, result);
    }

    private static GrepResult matches(GrepRequest request, Inside.Result result) {
        Fields fields = new Fields(result.output());
        List<GrepResult.Match> matches = new ArrayList<>();
        while (fields.hasNext(0) && matches.size() < request.limit()) {
            TreePath path = TreePath.ofBytes(withoutSlashes(fields.next(0)));
            long line = Long.parseLong(fields.nextText(':'));
            boolean whole = fields.hasNext('\n');
            byte[] text = whole ? fields.next('\n') : fields.rest();
            int length = Math.min(text.length, LONGEST_LINE);
            matches.add(
                    new GrepResult.Match(
                            new ViewPath(path),
                            line,
                            new String(text, 0, length, StandardCharsets.UTF_8)));
            if (!whole) {
                return new GrepResult(matches, false);
            }
        }
        return new GrepResult(matches, !fields.hasNext(0) && result.error().length == 0);
    }

    /** As {@code grep} prints paths below an absolute one. */
    private static byte[] withoutSlashes(byte[] path) {
        int start = 0;
        while (start < path.length && path[start] == '/') {
            start++;
        }
        return java.util.Arrays.copyOfRange(path, start, path.length);
    }

    /**
     * Deletes a file or a link.
     *
     * @param tree whether a directory goes with all it holds; otherwise a directory is refused
     */
    public void delete(ViewPath path, boolean tree) throws InterruptedException {
        call(path).run(FileScripts.DELETE, Map.of("CARREL_TREE", Boolean.toString(tree)));
    }

    /** Makes a directory and those above it; nothing happens where it is there. */
    public void makeDirectories(ViewPath path) throws InterruptedException {
        call(path).run(FileScripts.MAKE_DIRECTORIES, Map.of());
    }

    private FileCall call(ViewPath path) {
        return new FileCall(inside, path);
    }
}
