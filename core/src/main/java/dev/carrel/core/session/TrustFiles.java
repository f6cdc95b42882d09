package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.host.LiveFiles;
import dev.carrel.core.host.SystemBundles;
import dev.carrel.core.host.ToolchainView;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.Mount;
import dev.carrel.core.policy.SandboxPath;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.store.SessionLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * What makes every usual client trust the host's authorities and those of {@code egress.extra_ca},
 * with nothing to configure: one bundle over each place of the host's, the variables of clients
 * that look elsewhere, and a store for Java. Nothing of the host's is written. Frozen when the
 * session is made, as its view is.
 *
 * @param extra the certificates besides the host's, at least one
 */
record TrustFiles(List<X509Certificate> extra) {

    private static final SandboxPath FOLDER = SandboxPath.of("/etc/carrel");

    /** Where {@code /etc} is the host's, which has no such folder to mount anything at. */
    private static final SandboxPath FOLDER_ON_HOST = SandboxPath.of("/run/carrel-ca");

    private static final String ALL = "ca.pem";
    private static final String EXTRA = "extra-ca.pem";
    private static final String JAVA = "ca.p12";

    /** What Java's own store has. It hides nothing: certificates are public. */
    private static final String PASSWORD = "changeit";

    TrustFiles {
        extra = List.copyOf(extra);
    }

    /** Of what a policy names; nothing where it names nothing. */
    static Optional<TrustFiles> of(EgressPolicy egress) {
        return egress.extraCa().isEmpty()
                ? Optional.empty()
                : Optional.of(new TrustFiles(TrustedCertificates.read(egress.extraCa())));
    }

    /** A view in which they are in place; {@code shown} is what of the host it shows. */
    ToolchainView addedTo(
            ToolchainView view, List<Mount> shown, ViewMode mode, SessionLayout layout) {
        List<Mount> mounts = new ArrayList<>(view.mounts());
        Path source = folder(layout);
        for (Path bundle : new SystemBundles(new LiveFiles()).in(shown)) {
            mounts.add(new Mount.ReadOnly(source.resolve(ALL), new SandboxPath(bundle)));
        }
        SandboxPath folder =
                switch (mode) {
                    case ViewMode.Overlay() -> FOLDER;
                    case ViewMode.HostReadonly _ -> FOLDER_ON_HOST;
                };
        mounts.add(new Mount.ReadOnly(source, folder));
        Map<String, String> variables = new LinkedHashMap<>(view.variables());
        variables.putAll(variables(folder));
        return new ToolchainView(mounts, view.path(), variables, view.notices());
    }

    static Path folder(SessionLayout layout) {
        return SessionView.generated(layout).resolve("carrel");
    }

    private static Map<String, String> variables(SandboxPath folder) {
        String all = folder.resolve(ALL).toString();
        Map<String, String> variables = new LinkedHashMap<>();
        // OpenSSL's, Go's and rustls' own, then those of clients that bring their own authorities.
        for (String name :
                List.of(
                        "SSL_CERT_FILE",
                        "CURL_CA_BUNDLE",
                        "GIT_SSL_CAINFO",
                        "REQUESTS_CA_BUNDLE",
                        "PIP_CERT",
                        "CARGO_HTTP_CAINFO",
                        "AWS_CA_BUNDLE",
                        "DENO_CERT")) {
            variables.put(name, all);
        }
        // Node adds these to its own.
        variables.put("NODE_EXTRA_CA_CERTS", folder.resolve(EXTRA).toString());
        variables.put(
                CommandEnvironment.JAVA_OPTIONS,
                "-Djavax.net.ssl.trustStore="
                        + folder.resolve(JAVA)
                        + " -Djavax.net.ssl.trustStorePassword="
                        + PASSWORD);
        return variables;
    }

    /** The files by their names in {@link #folder}. Reads what the host trusts. */
    Map<String, byte[]> files() {
        Set<X509Certificate> host = new LinkedHashSet<>(ofHost());
        Set<X509Certificate> java = new LinkedHashSet<>(ofJava());
        java.addAll(host);
        java.addAll(extra);
        // A host without a bundle has at least this Java.
        host.addAll(host.isEmpty() ? java : extra);
        return Map.of(
                ALL, pem(List.copyOf(host)), EXTRA, pem(extra), JAVA, store(List.copyOf(java)));
    }

    private static byte[] pem(List<X509Certificate> certificates) {
        return TrustedCertificates.pem(certificates).getBytes(StandardCharsets.US_ASCII);
    }

    private static List<X509Certificate> ofHost() {
        Optional<Path> bundle = new SystemBundles(new LiveFiles()).first();
        try {
            return bundle.isPresent() ? TrustedCertificates.readable(bundle.get()) : List.of();
        } catch (IOException e) {
            throw new HostOperationException(
                    "cannot read the host's certificates in " + bundle.orElseThrow() + ": " + e,
                    null,
                    e);
        }
    }

    private static List<X509Certificate> ofJava() {
        List<X509Certificate> accepted = new ArrayList<>();
        try {
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            for (var manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager trusting) {
                    accepted.addAll(List.of(trusting.getAcceptedIssuers()));
                }
            }
        } catch (GeneralSecurityException e) {
            throw failed(e);
        }
        return accepted;
    }

    private static byte[] store(List<X509Certificate> certificates) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate certificate : certificates) {
                store.setCertificateEntry("ca" + store.size(), certificate);
            }
            store.store(bytes, PASSWORD.toCharArray());
        } catch (GeneralSecurityException | IOException e) {
            throw failed(e);
        }
        return bytes.toByteArray();
    }

    private static HostOperationException failed(Exception cause) {
        return new HostOperationException(
                "cannot make Java's store of trusted certificates: " + cause, null, cause);
    }
}
