package dev.carrel.core.repo;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;

/** The index of a pack, version 2: gitformat-pack(5). */
final class PackIndex {

    private static final int MAGIC = 0xff744f63;
    private static final int VERSION = 2;
    private static final int FANOUT = 256;
    private static final long SMALL_OFFSET = 1L << 31;

    private final List<Map.Entry<ObjectId, Place>> objects;
    private final byte[] checksum;

    /**
     * Where a pack has an object.
     *
     * @param crc of its bytes there
     */
    record Place(long offset, int crc) {}

    PackIndex(Map<ObjectId, Place> places) {
        this.objects = places.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
        MessageDigest names = ObjectPack.sha1();
        objects.forEach(object -> names.update(object.getKey().bytes()));
        this.checksum = names.digest();
    }

    /** What stands for the checksum of the pack. */
    byte[] checksum() {
        return checksum.clone();
    }

    byte[] bytes() {
        List<Long> large =
                objects.stream()
                        .map(object -> object.getValue().offset())
                        .filter(offset -> offset >= SMALL_OFFSET)
                        .toList();
        int size =
                (2 + FANOUT) * Integer.BYTES
                        + objects.size() * (ObjectId.BYTES + 2 * Integer.BYTES)
                        + large.size() * Long.BYTES
                        + 2 * ObjectId.BYTES;
        ByteBuffer index = ByteBuffer.allocate(size).putInt(MAGIC).putInt(VERSION);
        fanout(index);
        objects.forEach(object -> index.put(object.getKey().bytes()));
        objects.forEach(object -> index.putInt(object.getValue().crc()));
        int next = 0;
        for (Map.Entry<ObjectId, Place> object : objects) {
            long offset = object.getValue().offset();
            index.putInt((int) (offset < SMALL_OFFSET ? offset : SMALL_OFFSET | next++));
        }
        large.forEach(index::putLong);
        index.put(checksum);
        MessageDigest own = ObjectPack.sha1();
        own.update(index.array(), 0, index.position());
        return index.put(own.digest()).array();
    }

    /** How many names begin with this byte or a smaller one. */
    private void fanout(ByteBuffer index) {
        int[] counts = new int[FANOUT];
        objects.forEach(object -> counts[(int) (object.getKey().first() >>> 56)]++);
        int sum = 0;
        for (int count : counts) {
            sum += count;
            index.putInt(sum);
        }
    }
}
