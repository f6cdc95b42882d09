package dev.carrel.core.repo;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The name of an object by SHA-1: twenty bytes, in an order of their own. */
public record ObjectId(long first, long second, int third) implements Comparable<ObjectId> {

    static final int BYTES = 20;

    static ObjectId of(byte[] digest) {
        ByteBuffer bytes = ByteBuffer.wrap(digest);
        return new ObjectId(bytes.getLong(), bytes.getLong(), bytes.getInt());
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(first).putLong(second).putInt(third).array();
    }

    /** As git sorts them: by unsigned bytes. */
    @Override
    public int compareTo(ObjectId other) {
        int order = Long.compareUnsigned(first, other.first);
        if (order == 0) {
            order = Long.compareUnsigned(second, other.second);
        }
        return order == 0 ? Integer.compareUnsigned(third, other.third) : order;
    }

    /** In hexadecimal, as git takes it. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes());
    }
}
