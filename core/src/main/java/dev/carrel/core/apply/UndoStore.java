package dev.carrel.core.apply;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.tree.Dir;
import dev.carrel.core.tree.Durability;
import dev.carrel.core.tree.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the last apply replaced: a directory with a list, and files by their number. The next one is
 * made beside it and takes its place once the host is as wanted.
 */
final class UndoStore {

    private static final String LIST = "list";

    private final Path current;
    private final Path next;

    UndoStore(ApplyFiles files) {
        this.current = files.undo();
        this.next = files.nextUndo();
    }

    /** What can be undone; empty where there is nothing. */
    List<Undoable> load() {
        return load(current);
    }

    private static List<Undoable> load(Path directory) {
        List<Undoable> list = new ArrayList<>();
        LineFile.read(directory.resolve(LIST), line -> list.add(Undoable.fromJson(line)));
        return list;
    }

    /** Where the originals are; to be closed. */
    Dir originals() {
        return Dir.open(current);
    }

    static byte[] name(int number) {
        return Names.bytes(Integer.toString(number));
    }

    /** Writes down what will be undoable. */
    void begin(Stream<Undoable> list, Durability durability) {
        OwnDirectory.open(next).close();
        LineFile.write(next.resolve(LIST), list.map(Undoable::toJson), durability);
    }

    /** Keeps these originals of a directory; what was kept already stays. */
    void keep(List<Integer> numbers, Dir old) {
        try (Dir dir = OwnDirectory.open(next)) {
            Transfer.moveAll(old, numbers.stream().map(UndoStore::name).toList(), dir);
        }
    }

    /** The numbers of all originals of the next list. */
    List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        for (Undoable undoable : load(next)) {
            if (undoable.before() instanceof Undoable.Before.Kept(int number)) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    /** Takes what is still to be undone over from the current list. */
    void keepRest() {
        Optional<Dir> opened = Dir.openIfExists(current);
        if (opened.isPresent()) {
            try (Dir from = opened.get()) {
                keep(numbers(), from);
            }
        }
    }

    /** Makes the next one the current one; nothing happens where that was done. */
    void publish() {
        if (!Files.exists(next.resolve(LIST))) {
            return;
        }
        OwnDirectory.delete(current);
        if (LineFile.isEmpty(next.resolve(LIST))) {
            OwnDirectory.delete(next);
            return;
        }
        try {
            Files.move(next, current, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot rename " + next + ": " + e.getMessage(), null, e);
        }
    }

    /** Forgets the next one: the host is as it was. */
    void abandon() {
        OwnDirectory.delete(next);
    }
}
