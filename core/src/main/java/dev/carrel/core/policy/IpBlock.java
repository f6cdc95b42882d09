package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.util.Optional;

/**
 * All addresses that begin with the same bits.
 *
 * @param first the lowest of them
 * @param bits how many bits they share: up to 32, or up to 128 for IPv6
 */
public record IpBlock(IpAddress first, int bits) {

    public IpBlock {
        int most = first.six() ? 128 : 32;
        if (bits < 0 || bits > most) {
            throw new InvalidInputException(
                    "'" + first + "/" + bits + "' is no block: the prefix is at most " + most);
        }
        if (!masked(first, bits).equals(first)) {
            throw new InvalidInputException(
                    "'"
                            + first
                            + "/"
                            + bits
                            + "' has bits below its prefix; the block that holds it is "
                            + masked(first, bits)
                            + "/"
                            + bits);
        }
    }

    /**
     * Reads {@code address/bits}.
     *
     * @throws InvalidInputException for anything else
     */
    public static IpBlock parse(String text) {
        int slash = text.indexOf('/');
        Optional<IpAddress> first =
                slash < 0 ? Optional.empty() : IpText.parse(text.substring(0, slash));
        int bits = IpText.decimal(text.substring(slash + 1));
        if (first.isEmpty() || bits < 0) {
            throw new InvalidInputException(
                    Visible.quoted(text) + " is no block of addresses; write 192.0.2.0/24");
        }
        return new IpBlock(first.get(), bits);
    }

    /** Whether the address lies in it. A block of one family holds none of the other. */
    public boolean contains(IpAddress address) {
        return address.six() == first.six() && masked(address, bits).equals(first);
    }

    private static IpAddress masked(IpAddress address, int bits) {
        if (!address.six()) {
            return IpAddress.ofV4(address.low() & ones(32 + bits));
        }
        // Not by a negative shift: Java takes the count modulo 64.
        long high = address.high() & ones(Math.min(bits, 64));
        long low = address.low() & ones(Math.max(bits - 64, 0));
        return new IpAddress(true, high, low);
    }

    private static long ones(int upper) {
        return upper == 0 ? 0 : -1L << (64 - upper);
    }

    @Override
    public String toString() {
        return first + "/" + bits;
    }
}
