package dev.carrel.core.repo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.carrel.core.tree.TreePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files by path, to be written as trees of git. Of two entries at one place the later counts. */
public final class TreeObjects {

    private static final String DIRECTORY = "40000";

    private final Directory root = new Directory();

    private sealed interface Node {}

    private record File(FileMode mode, ObjectId content) implements Node {}

    private static final class Directory implements Node {
        private final Map<byte[], Node> entries = new TreeMap<>(Arrays::compareUnsigned);
    }

    /** An entry as the tree has it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Line(byte[] name, String mode, ObjectId object) {

        /** git sorts a directory as if its name ended in a slash. */
        static int compare(Line one, Line other) {
            return Arrays.compareUnsigned(one.sorted(), other.sorted());
        }

        private byte[] sorted() {
            if (!mode.equals(DIRECTORY)) {
                return name;
            }
            byte[] longer = Arrays.copyOf(name, name.length + 1);
            longer[name.length] = '/';
            return longer;
        }
    }

    /** Adds a file or link. */
    public void add(TreePath path, FileMode mode, ObjectId content) {
        List<byte[]> names = path.components();
        Directory directory = root;
        for (byte[] name : names.subList(0, names.size() - 1)) {
            if (directory.entries.get(name) instanceof Directory found) {
                directory = found;
            } else {
                Directory made = new Directory();
                directory.entries.put(name, made);
                directory = made;
            }
        }
        directory.entries.put(names.getLast(), new File(mode, content));
    }

    /** Writes all trees and answers the topmost. */
    public ObjectId write(ObjectPack to) throws IOException {
        return write(root, to);
    }

    private static ObjectId write(Directory directory, ObjectPack to) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Map.Entry<byte[], Node> entry : directory.entries.entrySet()) {
            lines.add(
                    switch (entry.getValue()) {
                        case File(FileMode mode, ObjectId content) ->
                                new Line(entry.getKey(), mode.digits(), content);
                        case Directory below ->
                                new Line(entry.getKey(), DIRECTORY, write(below, to));
                    });
        }
        lines.sort(Line::compare);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (Line line : lines) {
            content.writeBytes((line.mode() + " ").getBytes(US_ASCII));
            content.writeBytes(line.name());
            content.write(0);
            content.writeBytes(line.object().bytes());
        }
        return to.tree(content.toByteArray());
    }
}
