package dev.carrel.core.apply;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Names;
import dev.carrel.core.tree.Trees;
import java.util.Optional;

/**
 * The hidden directory in a repository's root: {@code new} holds what will be put in place, {@code
 * old} what was moved away, both by task number. Which of them exist tells how far a task has come.
 */
final class Staging implements AutoCloseable {

    private static final byte[] NEW = Names.bytes("new");
    private static final byte[] OLD = Names.bytes("old");
    private static final int OWNER_ALL = 0700;

    private final Dir root;
    private final Dir fresh;
    private final Dir old;

    private Staging(Dir root, Dir fresh, Dir old) {
        this.root = root;
        this.fresh = fresh;
        this.old = old;
    }

    static void create(Journal.Place place) {
        byte[] name = Names.bytes(place.staging());
        try (Dir root = Dir.open(place.root())) {
            if (root.stat(name).isPresent()) {
                return; // a repetition of the step
            }
            root.makeDir(name, OWNER_ALL);
            try (Dir staging = root.openDir(name)) {
                staging.makeDir(NEW, OWNER_ALL);
                staging.makeDir(OLD, OWNER_ALL);
            }
        }
    }

    static Staging open(Journal.Place place) {
        Dir root = Dir.open(place.root());
        try (Dir staging = root.openDir(Names.bytes(place.staging()))) {
            Dir fresh = staging.openDir(NEW);
            return new Staging(root, fresh, staging.openDir(OLD));
        } catch (RuntimeException failed) {
            root.close();
            throw failed;
        }
    }

    /** The same; empty where it was removed already. */
    static Optional<Staging> openIfExists(Journal.Place place) {
        Optional<Dir> root = Dir.openIfExists(place.root());
        if (root.isEmpty()) {
            return Optional.empty();
        }
        try (Dir dir = root.get()) {
            return dir.stat(Names.bytes(place.staging())).map(_ -> open(place));
        }
    }

    static void remove(Journal.Place place) {
        Optional<Dir> root = Dir.openIfExists(place.root());
        if (root.isPresent()) {
            try (Dir dir = root.get()) {
                Trees.delete(dir, Names.bytes(place.staging()));
            }
        }
    }

    Dir root() {
        return root;
    }

    Dir fresh() {
        return fresh;
    }

    Dir old() {
        return old;
    }

    static byte[] name(Task task) {
        return Integer.toString(task.number()).getBytes(US_ASCII);
    }

    /**
     * Prepares what the task puts in place.
     *
     * @param from where a written file's content is
     * @return SHA-256 of what was prepared; empty for directories
     */
    Optional<String> prepare(Task task, Material from, Contents contents, boolean synced) {
        byte[] name = name(task);
        if (fresh.stat(name).isPresent()) {
            Trees.delete(fresh, name); // half-made by an earlier run of the step
        }
        Optional<String> digest = Optional.empty();
        switch (task.operation()) {
            case Operation.Write write ->
                    digest = Optional.of(contents.prepare(write, from, fresh, name, synced));
            case Operation.Link link -> {
                fresh.symlink(link.target(), name);
                digest = Optional.of(Fingerprint.link(link.target()).text());
            }
            case Operation.MakeDirectory make -> fresh.makeDir(name, make.mode() | OWNER_ALL);
            case Operation.ChangeMode _, Operation.Remove _, Operation.RemoveDirectory _ ->
                    throw new IllegalArgumentException("nothing to prepare: " + task);
        }
        task.owner().ifPresent(owner -> fresh.chown(name, owner.uid(), owner.gid()));
        return digest;
    }

    @Override
    public void close() {
        fresh.close();
        old.close();
        root.close();
    }
}
