package dev.carrel.core.egress;

import dev.carrel.core.policy.Host;
import dev.carrel.core.policy.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Asks the C library of this machine: its files, its DNS, in its order. */
public final class SystemResolver implements Resolver {

    @Override
    public List<IpAddress> resolve(Host.Name name) {
        try {
            return Arrays.stream(InetAddress.getAllByName(name.text()))
                    .map(address -> IpAddress.of(address.getAddress()))
                    .distinct()
                    .toList();
        } catch (UnknownHostException unknown) {
            return List.of();
        }
    }
}
