package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A proxy of HTTP between this machine and the world. It gets names, not addresses, so the check of
 * addresses is its own; the rules are still judged here.
 *
 * @param host where it is; not judged by any rule
 * @param port its port
 * @param authorization the value of {@code Proxy-Authorization}; never shown
 */
public record Upstream(Host host, int port, Optional<String> authorization) {

    private static final String SCHEME = "http://";

    /**
     * Reads {@code http://host:port} or {@code http://user:password@host:port}.
     *
     * @throws InvalidInputException for anything else; the message does not repeat the text, which
     *     may hold a password
     */
    public static Upstream parse(String url) {
        if (!url.startsWith(SCHEME)) {
            throw wrong("it begins with http://");
        }
        String rest = url.substring(SCHEME.length());
        if (rest.endsWith("/")) {
            rest = rest.substring(0, rest.length() - 1);
        }
        int at = rest.lastIndexOf('@');
        String address = rest.substring(at + 1);
        int colon = address.lastIndexOf(':');
        int port = colon < 0 ? -1 : IpText.decimal(address.substring(colon + 1));
        if (port < 1 || port > 65535) {
            throw wrong("it ends with a port, as in http://proxy.example.org:3128");
        }
        Host host = Host.parseSetting(address.substring(0, colon));
        return new Upstream(
                host, port, at < 0 ? Optional.empty() : Optional.of(basic(rest.substring(0, at))));
    }

    private static String basic(String credentials) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < credentials.length(); i++) {
            char c = credentials.charAt(i);
            if (c != '%') {
                plain.append(c);
                continue;
            }
            if (i + 2 >= credentials.length()) {
                throw wrong("a percent sign in the password is followed by two hex digits");
            }
            int high = Character.digit(credentials.charAt(i + 1), 16);
            int low = Character.digit(credentials.charAt(i + 2), 16);
            if (high < 0 || low < 0) {
                throw wrong("a percent sign in the password is followed by two hex digits");
            }
            plain.append((char) (high << 4 | low));
            i += 2;
        }
        byte[] bytes = plain.toString().getBytes(StandardCharsets.ISO_8859_1);
        return "Basic " + Base64.getEncoder().encodeToString(bytes);
    }

    private static InvalidInputException wrong(String why) {
        return new InvalidInputException(
                "the proxy above (egress.upstream) is not understood: " + why);
    }

    /** The text of a URL, right or wrong, without the user and the password in it. */
    public static String withoutCredentials(String url) {
        int begin = url.indexOf("://");
        int at = url.lastIndexOf('@');
        int from = begin < 0 ? 0 : begin + "://".length();
        return at < from ? url : url.substring(0, from) + "***" + url.substring(at);
    }

    /** Without what it authorizes itself with. */
    @Override
    public String toString() {
        return Visible.text(host + ":" + port);
    }
}
