package dev.carrel.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.policy.Identity;
import dev.carrel.core.policy.Mount;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SystemBundlesTest {

    private final InventedFiles files = InventedFiles.system();

    private List<Mount> view() {
        Caller caller = new Caller(1000, 1000, "alice", Path.of("/home/alice"), Map.of());
        return new HostView(caller, new Identity(1000, 1000, false), files)
                .view(List.of(), Path.of("/state"), List.of())
                .mounts();
    }

    private List<String> bundles() {
        return new SystemBundles(files).in(view()).stream().map(Path::toString).toList();
    }

    @Test
    void aFileIsCoveredWhereItIs() {
        files.file("/etc/ssl/certs/ca-certificates.crt", 0, 0644);
        assertThat(bundles()).containsExactly("/etc/ssl/certs/ca-certificates.crt");
        assertThat(new SystemBundles(files).first())
                .contains(Path.of("/etc/ssl/certs/ca-certificates.crt"));
    }

    @Test
    void linksAreLeftWhereTheyAreLinksInsideToo() {
        files.file("/etc/ca-certificates/extracted/tls-ca-bundle.pem", 0, 0644)
                .link(
                        "/etc/ssl/certs/ca-certificates.crt",
                        "../../ca-certificates/extracted/tls-ca-bundle.pem")
                .link("/etc/ssl/cert.pem", "../ca-certificates/extracted/tls-ca-bundle.pem");
        assertThat(bundles())
                .containsExactly(
                        "/etc/ca-certificates/extracted/tls-ca-bundle.pem", "/etc/ssl/cert.pem");
    }

    @Test
    void aFileThatIsShownInPlaceOfALinkIsCoveredThere() {
        files.file("/var/lib/ca-certificates/ca-bundle.pem", 0, 0644)
                .link("/etc/ssl/ca-bundle.pem", "/var/lib/ca-certificates/ca-bundle.pem");
        assertThat(bundles()).containsExactly("/etc/ssl/ca-bundle.pem");
    }

    @Test
    void aHostWithoutOneHasNoneCovered() {
        assertThat(bundles()).isEmpty();
        assertThat(new SystemBundles(files).first()).isEmpty();
    }
}
