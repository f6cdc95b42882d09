package dev.carrel.core.egress;

import dev.carrel.core.policy.EgressDenial;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.Visible;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** What the proxy itself says to a client. Printable ASCII of bounded length. */
final class Answers {

    /** The field that tells a denial from an answer of the host. */
    static final String FIELD = "Carrel-Egress";

    private static final int LONGEST_REASON = 400;

    static final byte[] ESTABLISHED =
            "HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** TLS's alert "access denied" (RFC 8446, 6.2), which clients know how to show. */
    static final byte[] TLS_ALERT = {21, 3, 1, 0, 2, 2, 49};

    private Answers() {}

    static byte[] denied(EgressDenial denial, Function<EgressRule, String> command) {
        return answer(403, "denied", denial.message(), remedy(denial, command));
    }

    /** What to do about a denial, in one line. */
    private static String remedy(EgressDenial denial, Function<EgressRule, String> command) {
        if (denial.rule().isPresent()) {
            return "as long as the rule is there nothing allows it\n";
        }
        return denial.cure()
                .map(rule -> "to allow it, outside of the session: " + line(command.apply(rule)))
                .map(text -> text + "\n")
                .orElse("");
    }

    static byte[] refused(int status, String why) {
        return answer(status, "refused", "refused: " + why, "");
    }

    static byte[] failed(Authority to, String why) {
        return answer(502, "failed", to + " is allowed but was not reached: " + why, "");
    }

    private static byte[] answer(int status, String kind, String message, String more) {
        String line = line(message);
        String body = line + "\n" + more;
        String text =
                "HTTP/1.1 "
                        + status
                        + " "
                        + line
                        + "\r\n"
                        + FIELD
                        + ": "
                        + kind
                        + "\r\nContent-Type: text/plain; charset=us-ascii\r\nContent-Length: "
                        + body.length()
                        + "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
                        + body;
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** One line, whatever it was. */
    private static String line(String any) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < any.length() && line.length() < LONGEST_REASON; i++) {
            char c = any.charAt(i);
            line.append(c < 0x20 || c > 0x7e ? Visible.text(String.valueOf(c)) : c);
        }
        return line.toString();
    }
}
