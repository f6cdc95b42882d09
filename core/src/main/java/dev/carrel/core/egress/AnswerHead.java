package dev.carrel.core.egress;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of an answer.
 *
 * @param status 100 to 599
 * @param reason its words, maybe empty
 * @param minorVersion 0 or 1
 * @param fields its fields
 */
record AnswerHead(int status, String reason, int minorVersion, Fields fields) {

    private static final Pattern LINE =
            Pattern.compile("HTTP/1\\.([01]) ([1-5][0-9][0-9])(?: (.*))?");

    /** Reads one, of up to so many bytes. */
    static AnswerHead read(ByteSource source, int limit) throws IOException, BadMessage {
        HeadReader reader = new HeadReader(source, limit);
        Matcher parts = LINE.matcher(reader.line());
        if (!parts.matches()) {
            throw new BadMessage(502, "the host does not answer in HTTP/1.1");
        }
        String words = parts.group(3);
        return new AnswerHead(
                Integer.parseInt(parts.group(2)),
                words == null ? "" : words,
                parts.group(1).equals("0") ? 0 : 1,
                reader.fields());
    }

    /** Whether another answer follows. */
    boolean isInterim() {
        return status < 200 && status != 101;
    }

    /** How its body ends, as the answer to a request of this method. */
    Framing framing(String method) throws BadMessage {
        if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
            return new Framing.None();
        }
        return Framing.of(fields, minorVersion, new Framing.UntilClose());
    }
}
