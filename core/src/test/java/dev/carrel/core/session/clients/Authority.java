package dev.carrel.core.session.clients;

import dev.carrel.core.process.Command;
import dev.carrel.core.process.HostProcessRunner;
import dev.carrel.core.process.ProcessResult;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * An authority that nobody knows, and a server's certificate of its.
 *
 * @param pem the authority's certificate
 * @param tls for a server that shows the other one
 */
record Authority(Path pem, SSLContext tls) {

    private static final String PASSWORD = "password";

    static Authority in(Path directory, String host) throws Exception {
        Path keys = directory.resolve("keys.p12");
        keytool(keys, "authority", "-dname", "CN=Test authority", "-ext", "bc:critical=ca:true");
        keytool(
                keys,
                "server",
                "-dname",
                "CN=" + host,
                "-signer",
                "authority",
                "-ext",
                "san=dns:" + host);
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        Path pem = directory.resolve("authority.pem");
        Files.writeString(
                pem,
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(store.getCertificate("authority").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        store.deleteEntry("authority");
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(factory.getKeyManagers(), null, null);
        return new Authority(pem, tls);
    }

    private static void keytool(Path keys, String alias, String... more) throws Exception {
        List<String> argv =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-J-XX:TieredStopAtLevel=1",
                                "-genkeypair",
                                "-alias",
                                alias,
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-validity",
                                "3",
                                "-keystore",
                                keys.toString(),
                                "-storepass",
                                PASSWORD));
        argv.addAll(List.of(more));
        ProcessResult result = new HostProcessRunner().run(Command.of(argv));
        if (!result.succeeded()) {
            throw new IllegalStateException(result.errorText() + result.outputText());
        }
    }
}
