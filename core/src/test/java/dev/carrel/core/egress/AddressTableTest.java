package dev.carrel.core.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.IpAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NW-05 and NW-06: which addresses are not of the public internet. */
class AddressTableTest {

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, this host",
        "0.255.255.255, this host",
        "10.0.0.0, a private network",
        "10.255.255.255, a private network",
        "100.64.0.0, a network of carriers",
        "100.127.255.255, a network of carriers",
        "100.100.100.200, a metadata service",
        "127.0.0.1, loopback",
        "127.255.255.254, loopback",
        "168.63.129.16, a metadata service",
        "169.254.169.254, a metadata service",
        "169.254.0.1, link-local",
        "169.254.170.2, link-local",
        "172.16.0.0, a private network",
        "172.31.255.255, a private network",
        "192.0.0.192, a metadata service",
        "192.0.0.1, reserved for protocols",
        "192.0.2.1, for documentation",
        "192.88.99.1, a relay of 6to4",
        "192.168.0.1, a private network",
        "198.18.0.0, for benchmarks",
        "198.19.255.255, for benchmarks",
        "198.51.100.1, for documentation",
        "203.0.113.1, for documentation",
        "224.0.0.1, multicast",
        "239.255.255.255, multicast",
        "240.0.0.1, reserved",
        "255.255.255.254, reserved",
        "255.255.255.255, broadcast",
        "::, this host",
        "::1, loopback",
        "::2, this host (as 0.0.0.2)",
        "::127.0.0.1, loopback (as 127.0.0.1)",
        "::ffff:127.0.0.1, loopback",
        "::ffff:169.254.169.254, a metadata service",
        "::ffff:0:127.0.0.1, reserved",
        "64:ff9b::7f00:1, loopback (as 127.0.0.1)",
        "64:ff9b::a9fe:a9fe, a metadata service (as 169.254.169.254)",
        "64:ff9b:1::1, a translator of a private network",
        "100::1, discarded",
        "2001::1, a tunnel (Teredo)",
        "2001:10::1, reserved for protocols",
        "2001:db8::1, for documentation",
        "2002:7f00:1::, loopback (as 127.0.0.1)",
        "2002:a00:1::5, a private network (as 10.0.0.1)",
        "2a00:1450::5efe:7f00:1, a tunnel (ISATAP)",
        "2a00:1450::200:5efe:7f00:1, a tunnel (ISATAP)",
        "3fff::1, for documentation",
        "5f00::1, for segment routing",
        "4000::1, reserved",
        "1::1, reserved",
        "fc00::1, a private network",
        "fd00::1, a private network",
        "fd00:ec2::254, a metadata service",
        "fdff:ffff::1, a private network",
        "fe80::1, link-local",
        "febf::1, link-local",
        "fec0::1, a private network",
        "ff02::1, multicast"
    })
    @Tag("NW-05")
    @Tag("NW-06")
    void whatIsNotPublicHasAName(String address, String kind) {
        assertThat(AddressTable.kind(IpAddress.parse(address))).contains(kind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0.0.0",
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2001:200::1",
                "2001:4860:4860::8888",
                "2a00:1450:4001::1",
                "2606:4700::1111",
                "64:ff9b::808:808",
                "2002:808:808::1",
                "::ffff:8.8.8.8"
            })
    void whatIsPublicIsNotRefused(String address) {
        assertThat(AddressTable.kind(IpAddress.parse(address))).isEmpty();
    }

    @Test
    void bytesAndTextAreTheSameAddress() {
        for (String text : new String[] {"1.2.3.4", "2001:db8::1", "fe80::ff:0:1", "::"}) {
            IpAddress address = IpAddress.parse(text);
            assertThat(IpAddress.of(address.bytes())).isEqualTo(address).hasToString(text);
        }
    }
}
