package dev.carrel.core.session;

import dev.carrel.core.failure.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates in PEM: read from files, and written as one. */
final class TrustedCertificates {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----");

    /** A bundle of everything that a system trusts takes a quarter of a megabyte. */
    private static final long MOST_BYTES = 4 << 20;

    private TrustedCertificates() {}

    /**
     * All certificates of the files of {@code egress.extra_ca}. Whatever else is in a file, such as
     * a private key, is passed over.
     *
     * @throws InvalidInputException if a file cannot be read, holds none, or one that is broken;
     *     with every such problem
     */
    static List<X509Certificate> read(List<Path> files) {
        List<X509Certificate> certificates = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            try {
                certificates.addAll(read(file));
            } catch (NoSuchFileException e) {
                problems.add("egress.extra_ca: there is no file " + file);
            } catch (IOException e) {
                problems.add("egress.extra_ca: cannot read " + file + ": " + e.getMessage());
            } catch (CertificateException e) {
                problems.add("egress.extra_ca: " + file + " " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    problems,
                    "Name files of certificates in PEM (BEGIN CERTIFICATE). openssl x509 -inform"
                            + " der -in FILE makes it of a binary one.");
        }
        return List.copyOf(certificates);
    }

    private static List<X509Certificate> read(Path file) throws IOException, CertificateException {
        if (Files.isDirectory(file)) {
            throw new CertificateException("is a directory");
        }
        if (Files.size(file) > MOST_BYTES) {
            throw new CertificateException("is larger than 4 MiB");
        }
        List<X509Certificate> found = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        while (blocks.find()) {
            try {
                found.add(certificate(blocks.group(1)));
            } catch (CertificateException | IllegalArgumentException e) {
                throw new CertificateException(
                        "has a certificate that is broken: its number " + (found.size() + 1), e);
            }
        }
        if (found.isEmpty()) {
            throw new CertificateException("holds no certificate in PEM");
        }
        return found;
    }

    private static X509Certificate certificate(String base64) throws CertificateException {
        byte[] bytes = Base64.getMimeDecoder().decode(base64);
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(bytes));
    }

    /** As one file. */
    static String pem(List<X509Certificate> certificates) {
        Base64.Encoder base64 = Base64.getMimeEncoder(64, new byte[] {'\n'});
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            try {
                pem.append("-----BEGIN CERTIFICATE-----\n")
                        .append(base64.encodeToString(certificate.getEncoded()))
                        .append("\n-----END CERTIFICATE-----\n");
            } catch (CertificateException e) {
                throw new IllegalStateException("a certificate that was read has no bytes", e);
            }
        }
        return pem.toString();
    }

    /** Those of a file of the host; what is broken in it is left out, as other programs do. */
    static List<X509Certificate> readable(Path bundle) throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(bundle, StandardCharsets.ISO_8859_1));
        while (blocks.find()) {
            try {
                found.add(certificate(blocks.group(1)));
            } catch (CertificateException | IllegalArgumentException broken) {
                // Nobody trusts it, then.
            }
        }
        return found;
    }
}
