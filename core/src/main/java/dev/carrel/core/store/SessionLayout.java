package dev.carrel.core.store;

import dev.carrel.core.failure.ConflictException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The places of one session:
 *
 * <pre>
 * session.json            the record; the directory appears together with it
 * lock                    held for start, checkpoint, apply, removal
 * apply.json              what an unfinished apply still has to do
 * applied.json ancestors/ undo/ conflicts/    what applies did, for merging and undoing
 * repos/NAME/gen/N/       {@code upper} and {@code work} of a repository's N-th writable layer
 * home/ tmp/              the sandbox's HOME and /tmp
 * run/                    of the running session: arguments, filter; gone at any time
 * run/hold/               the FIFO that counts the users, and pause.json
 * egress.json             the rules of its network that were added while it lives
 * log/commands.jsonl      what was run
 * log/conversations.jsonl the conversations of agents that can go on
 * log/egress.jsonl        what was reached and what was denied; egress.1.jsonl came before
 * </pre>
 *
 * Upper and work directories, home, tmp and hold belong to the user the sandbox runs as, all else
 * to the caller.
 *
 * @param directory absolute
 */
public record SessionLayout(Path directory) {

    /** The session's id. */
    public String id() {
        return String.valueOf(directory.getFileName());
    }

    public Path record() {
        return directory.resolve("session.json");
    }

    public Path lock() {
        return directory.resolve("lock");
    }

    public Path applyJournal() {
        return directory.resolve("apply.json");
    }

    /** What applies wrote to the host. */
    public Path applied() {
        return directory.resolve("applied.json");
    }

    /** What the last apply replaced on the host. */
    public Path undo() {
        return directory.resolve("undo");
    }

    /** What the session had when it was applied, for later merges. */
    public Path ancestors() {
        return directory.resolve("ancestors");
    }

    /** The versions of files that an apply could not merge. */
    public Path conflicts() {
        return directory.resolve("conflicts");
    }

    /** Held while changes are applied. */
    public Path applyLock() {
        return directory.resolve("apply.lock");
    }

    /** Its time of modification tells when a command was last started. */
    public Path lastUsed() {
        return directory.resolve("last-used");
    }

    public Path repos() {
        return directory.resolve("repos");
    }

    public Path repo(String name) {
        return repos().resolve(StateLayout.checkedName(name));
    }

    /** A writable layer, by its number in this repository, from 1. */
    public Path layer(String repo, int number) {
        return repo(repo).resolve("gen").resolve(Integer.toString(number));
    }

    /** What the sandbox changed, as overlayfs keeps it. */
    public Path upper(String repo, int number) {
        return layer(repo, number).resolve("upper");
    }

    /** Overlayfs's own, on the same file system. */
    public Path work(String repo, int number) {
        return layer(repo, number).resolve("work");
    }

    public Path home() {
        return directory.resolve("home");
    }

    public Path tmp() {
        return directory.resolve("tmp");
    }

    public Path run() {
        return directory.resolve("run");
    }

    public Path hold() {
        return run().resolve("hold");
    }

    public Path log() {
        return directory.resolve("log");
    }

    /** One line a command, see {@link JsonLines}. */
    public Path commandLog() {
        return log().resolve("commands.jsonl");
    }

    /** The rules of its network that were added while it lives. */
    public Path egressRules() {
        return directory.resolve("egress.json");
    }

    /** What was reached and what was denied, see {@link JsonLines}. */
    public Path egressLog() {
        return log().resolve("egress.jsonl");
    }

    /** The conversations that agents had in it, see {@link JsonLines}. */
    public Path conversations() {
        return log().resolve("conversations.jsonl");
    }

    /** Whether it is a session: its record is there. */
    public boolean exists() {
        return Files.isRegularFile(record(), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Creates the directory itself.
     *
     * @throws ConflictException where it exists; nothing was changed
     */
    public void createDirectory() {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new ConflictException("the session " + id() + " exists already");
        }
        createPassage(directory);
    }

    /**
     * Creates all in it but the record and the repositories, where it is missing.
     *
     * @param sandbox whom the sandbox runs as: the caller, but for root
     */
    public void createContents(Ownership sandbox) {
        createPassage(repos());
        createPrivate(log());
        createLeaf(home(), sandbox);
        createLeaf(tmp(), sandbox);
        createPassage(run());
        createLeaf(hold(), sandbox);
    }

    /**
     * Creates a directory that the sandbox's user may pass, where that is another than the caller.
     */
    public void createPassage(Path passage) {
        StateDirectory.create(passage, StateLayout.directoryMode());
    }

    /** Creates a directory for the caller alone. */
    public void createPrivate(Path own) {
        StateDirectory.create(own, StateDirectory.PRIVATE);
    }

    /** Creates the directories of a repository's layer: {@code upper} and {@code work}. */
    public void createLayer(String repo, int number, Ownership sandbox) {
        int mode = StateLayout.directoryMode();
        StateDirectory.create(repo(repo), mode);
        StateDirectory.create(repo(repo).resolve("gen"), mode);
        // Its leaf: the upper directory is as open as the repository is, which others must not
        // reach.
        createLeaf(layer(repo, number), sandbox);
        createLeaf(upper(repo, number), sandbox);
        createLeaf(work(repo, number), sandbox);
    }

    /** Creates a directory of mode 0700 that belongs to the sandbox's user. */
    public static void createLeaf(Path leaf, Ownership sandbox) {
        StateDirectory.create(leaf, StateDirectory.PRIVATE, sandbox);
    }
}
