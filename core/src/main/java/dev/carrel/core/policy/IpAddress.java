package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.util.Locale;
import java.util.Optional;

/**
 * An address of IPv4 or IPv6, without a zone. The form that carries an IPv4 address in an IPv6 one
 * for sockets ({@code ::ffff:192.0.2.1}) is that IPv4 address here, as it is for the kernel.
 *
 * @param six whether it is one of IPv6
 * @param high the upper half of an IPv6 address, else 0
 * @param low the lower half of an IPv6 address, or the IPv4 address
 */
public record IpAddress(boolean six, long high, long low) {

    private static final long MAPPED = 0xffffL;

    public IpAddress {
        if (!six && (high != 0 || low >>> 32 != 0)) {
            throw new IllegalArgumentException("more than 32 bits");
        }
        if (six && high == 0 && low >>> 32 == MAPPED) {
            six = false;
            low &= 0xffffffffL;
        }
    }

    /** An IPv4 address from its 32 bits. */
    public static IpAddress ofV4(long bits) {
        return new IpAddress(false, 0, bits & 0xffffffffL);
    }

    /** From 4 or 16 bytes in network order. */
    public static IpAddress of(byte[] bytes) {
        if (bytes.length == 4) {
            return ofV4(number(bytes, 0, 4));
        }
        if (bytes.length != 16) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes");
        }
        return new IpAddress(true, number(bytes, 0, 8), number(bytes, 8, 8));
    }

    /**
     * Reads four decimal numbers without leading zeros, or an IPv6 address without brackets.
     *
     * @throws InvalidInputException for anything else
     */
    public static IpAddress parse(String text) {
        return IpText.parse(text)
                .orElseThrow(() ->
                        new InvalidInputException(Visible.quoted(text) + " is not an IP address"));
    }

    /** The address in network order: 4 or 16 bytes. */
    public byte[] bytes() {
        byte[] bytes = new byte[six ? 16 : 4];
        for (int i = 0; i < bytes.length; i++) {
            int fromEnd = bytes.length - 1 - i;
            long half = fromEnd < 8 ? low : high;
            bytes[i] = (byte) (half >>> (fromEnd % 8 * 8));
        }
        return bytes;
    }

    /**
     * The IPv4 address to which a translator or tunnel brings packets for this one: that in the
     * well-known prefix of NAT64 (RFC 6052), of 6to4 (RFC 3056), or of the old "compatible" form.
     */
    public Optional<IpAddress> carried() {
        if (!six) {
            return Optional.empty();
        }
        if (high >>> 48 == 0x2002) {
            return Optional.of(ofV4(high >>> 16));
        }
        boolean nat64 = high == 0x0064_ff9b_0000_0000L && low >>> 32 == 0;
        boolean compatible = high == 0 && low >>> 32 == 0 && low > 1;
        return nat64 || compatible ? Optional.of(ofV4(low)) : Optional.empty();
    }

    private static long number(byte[] bytes, int from, int count) {
        long number = 0;
        for (int i = from; i < from + count; i++) {
            number = number << 8 | (bytes[i] & 0xff);
        }
        return number;
    }

    /** As in a URL: an IPv6 address in brackets. */
    public String inUrl() {
        return six ? "[" + this + "]" : toString();
    }

    /** The canonical text (RFC 5952), without brackets. */
    @Override
    public String toString() {
        if (six) {
            return IpText.canonical(this);
        }
        return String.format(
                Locale.ROOT,
                "%d.%d.%d.%d",
                low >>> 24,
                low >>> 16 & 0xff,
                low >>> 8 & 0xff,
                low & 0xff);
    }
}
