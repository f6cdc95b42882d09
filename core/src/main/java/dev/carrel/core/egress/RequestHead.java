package dev.carrel.core.egress;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a request to a proxy, understood in only one way.
 *
 * @param method its method
 * @param authority whom it is for
 * @param path path and query to ask for; empty for CONNECT
 * @param minorVersion 0 or 1
 * @param fields its fields; none of those named Host says another host
 * @param framing how its body ends
 */
record RequestHead(
        String method,
        Authority authority,
        String path,
        int minorVersion,
        Fields fields,
        Framing framing) {

    private static final Pattern LINE =
            Pattern.compile("([!-~]+) ([!-~\u0080-\u00ff]+) HTTP/1\\.([01])");
    private static final String SCHEME = "http://";
    private static final int LONGEST_METHOD = 32;

    /** Reads one, of up to so many bytes. */
    static RequestHead read(ByteSource source, int limit) throws IOException, BadMessage {
        HeadReader reader = new HeadReader(source, limit);
        String line = reader.line();
        if (line.startsWith("PRI * HTTP/2")) {
            throw new BadMessage(505, "HTTP/2 without TLS is refused");
        }
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw BadMessage.request("the first line is no request of HTTP/1.1");
        }
        String method = parts.group(1);
        if (!HeadReader.isToken(method) || method.length() > LONGEST_METHOD) {
            throw BadMessage.request("the method is no word");
        }
        int minor = parts.group(3).equals("0") ? 0 : 1;
        Fields fields = reader.fields();
        if (method.equals("CONNECT")) {
            return connect(parts.group(2), minor, fields);
        }
        return absolute(method, parts.group(2), minor, fields);
    }

    /** Host is not looked at: the tunnel leads where the first line says. */
    private static RequestHead connect(String target, int minor, Fields fields) throws BadMessage {
        Authority authority = Authority.parse(target, -1);
        Framing framing = Framing.of(fields, minor, new Framing.None());
        if (!framing.isEmpty()) {
            throw BadMessage.request("CONNECT has no body");
        }
        return new RequestHead("CONNECT", authority, "", minor, fields, new Framing.None());
    }

    private static RequestHead absolute(String method, String target, int minor, Fields fields)
            throws BadMessage {
        if (!target.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw BadMessage.request(
                    target.startsWith("/")
                            ? "this is a proxy: a request names its host in the first line"
                            : "a proxy is asked for http:// addresses, or by CONNECT");
        }
        String rest = target.substring(SCHEME.length());
        int end = 0;
        while (end < rest.length() && "/?#\\".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        Authority authority = Authority.parse(rest.substring(0, end), 80);
        String path = rest.substring(end);
        if (path.indexOf('#') >= 0 || path.startsWith("\\")) {
            throw BadMessage.request("the address of the request has a part that is never sent");
        }
        agree(authority, fields, minor);
        Framing framing = Framing.of(fields, minor, new Framing.None());
        return new RequestHead(method, authority, rooted(method, path), minor, fields, framing);
    }

    private static String rooted(String method, String path) {
        if (path.isEmpty()) {
            return method.equals("OPTIONS") ? "*" : "/";
        }
        return path.startsWith("?") ? "/" + path : path;
    }

    private static void agree(Authority authority, Fields fields, int minor) throws BadMessage {
        List<String> named = fields.all("host");
        if (named.isEmpty() && minor == 0) {
            return;
        }
        if (named.size() != 1) {
            throw BadMessage.request("a request has one Host field");
        }
        if (!Authority.parse(named.getFirst(), 80).equals(authority)) {
            throw BadMessage.request("the Host field names another host than the first line");
        }
    }

    /** Whether it asks to go on as a WebSocket. */
    boolean upgradesToWebSocket() {
        return minorVersion == 1
                && method.equals("GET")
                && framing instanceof Framing.None
                && fields.lists("connection", "upgrade")
                && fields.all("upgrade").stream()
                        .anyMatch(value -> value.equalsIgnoreCase("websocket"));
    }

    /** Whether the client wants to send a further request. */
    boolean keepsAlive() {
        boolean close =
                fields.lists("connection", "close") || fields.lists("proxy-connection", "close");
        return minorVersion == 1 && !close;
    }
}
