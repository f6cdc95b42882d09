package dev.carrel.core.egress;

import dev.carrel.core.policy.IpAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The addresses of this machine. Whatever listens on one of them may trust its own machine more
 * than the internet. Interfaces come and go, so they are read anew when last time is a second ago.
 */
final class OwnAddresses {

    private static final long FRESH = 1_000_000_000L;

    private record Reading(Set<IpAddress> addresses, long time) {}

    private volatile Reading last = new Reading(Set.of(), System.nanoTime() - FRESH - 1);

    /**
     * Whether an address is one of this machine's.
     *
     * @throws SocketException where the machine does not tell
     */
    boolean contains(IpAddress address) throws SocketException {
        Reading reading = last;
        if (System.nanoTime() - reading.time > FRESH) {
            reading = new Reading(read(), System.nanoTime());
            last = reading;
        }
        return reading.addresses.contains(address);
    }

    private static Set<IpAddress> read() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .map(address -> IpAddress.of(address.getAddress()))
                .collect(Collectors.toUnmodifiableSet());
    }
}
