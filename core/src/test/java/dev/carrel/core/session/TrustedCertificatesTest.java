package dev.carrel.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrustedCertificatesTest {

    private static final String KEY =
            "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n";

    @TempDir private Path directory;

    /** Two that this Java has: no others are at hand. */
    private static List<X509Certificate> two() throws Exception {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        X509Certificate[] all =
                ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers();
        return List.of(all[0], all[1]);
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void allCertificatesOfAFileAreReadAndNothingElseOfIt() throws Exception {
        Path file = file("both.pem", "A text\n" + KEY + TrustedCertificates.pem(two()) + KEY);
        List<X509Certificate> read = TrustedCertificates.read(List.of(file));
        assertThat(read).isEqualTo(two());
        assertThat(TrustedCertificates.pem(read)).doesNotContain("PRIVATE");
    }

    @Test
    void everythingThatIsWrongWithFilesIsToldAtOnce() throws Exception {
        Path none = file("none.pem", KEY);
        Path broken =
                file(
                        "broken.pem",
                        "-----BEGIN CERTIFICATE-----\nc2VjcmV0\n-----END CERTIFICATE-----\n");
        Path missing = directory.resolve("missing.pem");
        assertThatThrownBy(
                        () -> TrustedCertificates.read(List.of(missing, directory, none, broken)))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        e ->
                                assertThat(e.problems())
                                        .containsExactly(
                                                "egress.extra_ca: there is no file " + missing,
                                                "egress.extra_ca: " + directory + " is a directory",
                                                "egress.extra_ca: "
                                                        + none
                                                        + " holds no certificate in PEM",
                                                "egress.extra_ca: "
                                                        + broken
                                                        + " has a certificate that is broken: its"
                                                        + " number 1"));
    }

    @Test
    void theFilesInsideHoldWhatTheHostTrustsAndTheOthersBesides() throws Exception {
        List<X509Certificate> extra = two();
        Map<String, byte[]> files = new TrustFiles(extra).files();
        KeyStore java = KeyStore.getInstance("PKCS12");
        java.load(
                new ByteArrayInputStream(files.getOrDefault("ca.p12", new byte[0])),
                "changeit".toCharArray());
        for (X509Certificate certificate : extra) {
            assertThat(java.getCertificateAlias(certificate)).isNotNull();
        }
        assertThat(java.size()).isGreaterThan(20);
        assertThat(text(files, "ca.pem")).endsWith("-----END CERTIFICATE-----\n");
        assertThat(text(files, "ca.pem").length()).isGreaterThan(20_000);
        assertThat(text(files, "extra-ca.pem")).isEqualTo(TrustedCertificates.pem(extra));
    }

    private static String text(Map<String, byte[]> files, String name) {
        return new String(files.getOrDefault(name, new byte[0]), StandardCharsets.US_ASCII);
    }
}
