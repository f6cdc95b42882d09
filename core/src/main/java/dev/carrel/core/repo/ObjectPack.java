package dev.carrel.core.repo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.carrel.core.failure.HostOperationException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * Fills a scratch repository by one pack, whatever the names and contents are. git's own importer
 * takes twenty times as long: it prepares a compression for each object.
 *
 * <p>Format: gitformat-pack(5). Contents are stored, not compressed. git finds objects by the index
 * and checks no more than that both files name the same checksum, so that it need not be that of
 * the bytes: this pack never travels.
 */
public final class ObjectPack {

    private static final int BUFFER = 1 << 16;
    private static final int STORED_BLOCK = 0xffff;
    private static final int COUNT_AT = 8;

    private final Path directory;
    private final OutputStream out;
    private final MessageDigest sha1;
    private final CRC32 crc = new CRC32();
    private final Map<ObjectId, PackIndex.Place> places = new HashMap<>();
    private long written;

    private ObjectPack(Path directory, OutputStream out) {
        this.directory = directory;
        this.out = out;
        this.sha1 = sha1();
    }

    /** Writes objects. */
    @FunctionalInterface
    public interface Content<T> {
        /** Writes all of them. */
        T write(ObjectPack to) throws IOException;
    }

    /** The types of objects, by their number in a pack. */
    private enum Type {
        COMMIT("commit", 1),
        TREE("tree", 2),
        BLOB("blob", 3);

        private final String word;
        private final int number;

        Type(String word, int number) {
            this.word = word;
            this.number = number;
        }
    }

    /**
     * Writes a pack into a repository that names objects by SHA-1, and answers what the content
     * does. The objects can be read when this returns.
     *
     * @throws HostOperationException if the disk is full
     */
    public static <T> T write(ScratchGit git, Content<T> content) {
        Path directory = git.repository().resolve("objects/pack");
        try {
            Files.createDirectories(directory);
            try (OutputStream out =
                    new BufferedOutputStream(
                            Files.newOutputStream(directory.resolve("new.pack")), BUFFER)) {
                ObjectPack pack = new ObjectPack(directory, out);
                pack.begin();
                T result = content.write(pack);
                pack.finish();
                return result;
            }
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot write files to compare into " + directory + ": " + e.getMessage(),
                    null,
                    e);
        }
    }

    /** A content; the same may come several times. */
    public ObjectId blob(byte[] content) throws IOException {
        return object(Type.BLOB, content);
    }

    ObjectId tree(byte[] content) throws IOException {
        return object(Type.TREE, content);
    }

    /** A commit, without a message. */
    public ObjectId commit(ObjectId tree, Optional<ObjectId> parent) throws IOException {
        String who = " carrel <carrel> 0 +0000\n";
        String text =
                "tree "
                        + tree
                        + "\n"
                        + parent.map(id -> "parent " + id + "\n").orElse("")
                        + "author"
                        + who
                        + "committer"
                        + who
                        + "\n";
        return object(Type.COMMIT, text.getBytes(US_ASCII));
    }

    private ObjectId object(Type type, byte[] content) throws IOException {
        sha1.update((type.word + " " + content.length + "\0").getBytes(US_ASCII));
        ObjectId id = ObjectId.of(sha1.digest(content));
        if (!places.containsKey(id)) {
            long start = written;
            crc.reset();
            put(header(type, content.length));
            store(content);
            places.put(id, new PackIndex.Place(start, (int) crc.getValue()));
        }
        return id;
    }

    /** Four bits of the size beside the type, then seven a byte. */
    private static byte[] header(Type type, int size) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        int rest = size >>> 4;
        int first = (type.number << 4) | (size & 0xf);
        header.write(rest == 0 ? first : first | 0x80);
        while (rest != 0) {
            int bits = rest & 0x7f;
            rest >>>= 7;
            header.write(rest == 0 ? bits : bits | 0x80);
        }
        return header.toByteArray();
    }

    /** A zlib stream (RFC 1950) of stored blocks (RFC 1951). */
    private void store(byte[] content) throws IOException {
        put(new byte[] {0x78, 0x01});
        int at = 0;
        do {
            int length = Math.min(STORED_BLOCK, content.length - at);
            boolean last = at + length == content.length;
            put(
                    new byte[] {
                        (byte) (last ? 1 : 0),
                        (byte) length,
                        (byte) (length >>> 8),
                        (byte) ~length,
                        (byte) (~length >>> 8)
                    });
            put(content, at, length);
            at += length;
        } while (at < content.length);
        Adler32 adler = new Adler32();
        adler.update(content);
        put(big((int) adler.getValue()));
    }

    private void begin() throws IOException {
        put("PACK".getBytes(US_ASCII));
        put(big(2));
        put(big(0)); // how many: known at the end
    }

    private void finish() throws IOException {
        PackIndex index = new PackIndex(places);
        byte[] checksum = index.checksum();
        put(checksum);
        out.close();
        try (RandomAccessFile file =
                new RandomAccessFile(directory.resolve("new.pack").toFile(), "rw")) {
            file.seek(COUNT_AT);
            file.write(big(places.size()));
        }
        Files.move(directory.resolve("new.pack"), directory.resolve("pack-carrel.pack"));
        Files.write(directory.resolve("pack-carrel.idx"), index.bytes());
    }

    private void put(byte[] bytes) throws IOException {
        put(bytes, 0, bytes.length);
    }

    private void put(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
        crc.update(bytes, from, length);
        written += length;
    }

    private static byte[] big(int value) {
        return new byte[] {
            (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value
        };
    }

    static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
