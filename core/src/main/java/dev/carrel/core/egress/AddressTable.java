package dev.carrel.core.egress;

import dev.carrel.core.policy.IpAddress;
import dev.carrel.core.policy.IpBlock;
import java.util.List;
import java.util.Optional;

/**
 * Addresses that are not of the public internet, and what they are. The JDK's predicates miss many
 * of these (unique local, carrier-grade NAT, benchmarking, reserved), so the table is our own,
 * after the special-purpose registries of IANA.
 */
final class AddressTable {

    private record Row(IpBlock block, String kind) {

        Row(String block, String kind) {
            this(IpBlock.parse(block), kind);
        }
    }

    /** The narrower block comes first where two overlap. */
    private static final List<Row> V4 =
            List.of(
                    new Row("0.0.0.0/8", "this host"),
                    new Row("10.0.0.0/8", "a private network"),
                    new Row("100.100.100.200/32", "a metadata service"),
                    new Row("100.64.0.0/10", "a network of carriers"),
                    new Row("127.0.0.0/8", "loopback"),
                    new Row("168.63.129.16/32", "a metadata service"),
                    new Row("169.254.169.254/32", "a metadata service"),
                    new Row("169.254.0.0/16", "link-local"),
                    new Row("172.16.0.0/12", "a private network"),
                    new Row("192.0.0.192/32", "a metadata service"),
                    new Row("192.0.0.0/24", "reserved for protocols"),
                    new Row("192.0.2.0/24", "for documentation"),
                    new Row("192.88.99.0/24", "a relay of 6to4"),
                    new Row("192.168.0.0/16", "a private network"),
                    new Row("198.18.0.0/15", "for benchmarks"),
                    new Row("198.51.100.0/24", "for documentation"),
                    new Row("203.0.113.0/24", "for documentation"),
                    new Row("224.0.0.0/4", "multicast"),
                    new Row("255.255.255.255/32", "broadcast"),
                    new Row("240.0.0.0/4", "reserved"));

    private static final List<Row> V6 =
            List.of(
                    new Row("::/128", "this host"),
                    new Row("::1/128", "loopback"),
                    new Row("64:ff9b:1::/48", "a translator of a private network"),
                    new Row("100::/64", "discarded"),
                    new Row("2001::/32", "a tunnel (Teredo)"),
                    new Row("2001::/23", "reserved for protocols"),
                    new Row("2001:db8::/32", "for documentation"),
                    new Row("3fff::/20", "for documentation"),
                    new Row("5f00::/16", "for segment routing"),
                    new Row("fd00:ec2::254/128", "a metadata service"),
                    new Row("fc00::/7", "a private network"),
                    new Row("fe80::/10", "link-local"),
                    new Row("fec0::/10", "a private network"),
                    new Row("ff00::/8", "multicast"));

    private static final IpBlock GLOBAL_V6 = IpBlock.parse("2000::/3");
    private static final IpBlock NAT64 = IpBlock.parse("64:ff9b::/96");

    /** The last eight bytes of ISATAP: 0:5efe or 200:5efe, then an IPv4 address (RFC 5214). */
    private static final long ISATAP = 0x0000_5efeL;

    private AddressTable() {}

    /** What an address is, where it is not public; also by the IPv4 address that it carries. */
    static Optional<String> kind(IpAddress address) {
        if (!address.six()) {
            return find(V4, address);
        }
        Optional<String> own = find(V6, address);
        if (own.isPresent()) {
            return own;
        }
        Optional<IpAddress> carried = address.carried();
        if (carried.isPresent()) {
            Optional<String> inner = kind(carried.get());
            if (inner.isPresent()) {
                return inner.map(kind -> kind + " (as " + carried.get() + ")");
            }
        }
        if ((address.low() >>> 32 & 0xfdff_ffffL) == ISATAP) {
            return Optional.of("a tunnel (ISATAP)");
        }
        boolean global = GLOBAL_V6.contains(address) || NAT64.contains(address);
        return global ? Optional.empty() : Optional.of("reserved");
    }

    private static Optional<String> find(List<Row> rows, IpAddress address) {
        return rows.stream()
                .filter(row -> row.block().contains(address))
                .map(Row::kind)
                .findFirst();
    }
}
