package dev.carrel.core.testing;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import dev.carrel.core.tree.Trees;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * An authority that nobody knows, and a server's certificate of its.
 *
 * @param pem the authority's certificate
 * @param tls for a server that shows the other one, and for a client that trusts the authority
 */
public record Authority(String pem, SSLContext tls) {

    private static final Map<String, Authority> MADE = new HashMap<>();

    private static final String SCRIPT =
            """
            new() {
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 "$@"
            }
            new -subj "/CN=Test authority" -keyout authority.key -out authority.pem
            new -CA authority.pem -CAkey authority.key -subj "/CN=$1" -keyout server.key \\
                -out server.pem -addext "subjectAltName=DNS:$1" -addext basicConstraints=CA:FALSE
            """;

    /** For a server of this name; one for all tests of this JVM. */
    public static synchronized Authority of(String host) throws Exception {
        Authority made = MADE.get(host);
        if (made == null) {
            Requirements.program("openssl");
            Path directory = Files.createTempDirectory("carrel-authority");
            try {
                made = in(directory, host);
            } finally {
                Trees.delete(directory.resolveSibling("."), directory.getFileName().toString());
            }
            MADE.put(host, made);
        }
        return made;
    }

    private static Authority in(Path directory, String host) throws Exception {
        ProcessResult result =
                new HostProcessRunner()
                        .run(Command.of("sh", "-ec", SCRIPT, "sh", host).in(directory));
        if (!result.succeeded()) {
            throw new IllegalStateException(result.errorText());
        }
        String pem = Files.readString(directory.resolve("authority.pem"));
        char[] password = {};
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        Certificate[] shown = {certificate(Files.readString(directory.resolve("server.pem")))};
        own.setKeyEntry("server", key(directory.resolve("server.key")), password, shown);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(own, password);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", certificate(pem));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return new Authority(pem, tls);
    }

    private static Certificate certificate(String pem) throws Exception {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    private static PrivateKey key(Path file) throws Exception {
        String text = Files.readString(file).replaceAll("-----.*-----|\n", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
    }
}
